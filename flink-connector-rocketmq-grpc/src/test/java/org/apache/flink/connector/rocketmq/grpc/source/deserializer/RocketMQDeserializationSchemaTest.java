/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.deserializer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.api.common.serialization.AbstractDeserializationSchema;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.rocketmq.grpc.source.reader.Messages;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.junit.jupiter.api.Test;

class RocketMQDeserializationSchemaTest {

    private final List<String> records = new ArrayList<>();

    @Test
    void valueOnlyReadsTheBody() throws IOException {
        RocketMQDeserializationSchema<String> schema =
                RocketMQDeserializationSchema.valueOnly(new SimpleStringSchema());
        schema.deserialize(view("é"), new ListCollector<>(records));

        assertThat(records).containsExactly("é");
        assertThat(schema.getProducedType()).isEqualTo(Types.STRING);
    }

    @Test
    void valueOnlyGivesNoRecordForNull() throws IOException {
        // beside case 13
        RocketMQDeserializationSchema.valueOnly(new NullSchema())
                .deserialize(view("x"), new ListCollector<>(records));

        assertThat(records).isEmpty();
    }

    @Test
    void theViewShowsAllOfTheMessage() {
        LiteMessage message =
                Messages.message("a", 1)
                        .from("%RETRY%GID", "a")
                        .tag("blue")
                        .keys(Collections.singletonList("k"))
                        .properties(Collections.singletonMap("p", "v"))
                        .deliveryAttempt(2)
                        .build();
        RocketMQMessageView view = new LiteMessageView("Main", message);

        assertThat(view.getTopic()).isEqualTo("Main");
        assertThat(view.getLiteTopic()).isEqualTo("a");
        assertThat(view.getMessageId()).isEqualTo("a-1");
        assertThat(view.getBody()).isSameAs(message.body());
        assertThat(view.getTag()).isEqualTo("blue");
        assertThat(view.getKeys()).containsExactly("k");
        assertThat(view.getProperties()).containsOnly(Map.entry("p", "v"));
        assertThat(view.getBornTimestamp()).isEqualTo(Messages.BORN + 1);
        assertThat(view.getDeliveryAttempt()).isEqualTo(2);
        assertThat(view.toString()).contains("a-1").doesNotContain("handle");
    }

    private static RocketMQMessageView view(String body) {
        return new LiteMessageView(
                "Main",
                Messages.message("a", 0).body(body.getBytes(StandardCharsets.UTF_8), true).build());
    }

    /** Reads nothing out of anything. */
    private static final class NullSchema extends AbstractDeserializationSchema<String> {
        private static final long serialVersionUID = 1L;

        @Override
        public String deserialize(byte[] body) {
            return null;
        }
    }
}
