/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    @Test
    void writesNestedObjectsNumbersAndStrings() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("count", 12L);
        object.put("p50Ms", 1.25);
        object.put("ok", true);
        object.put("inner", Collections.singletonMap("text", "a\"b\\c\nd"));

        assertThat(JsonText.of(object))
                .isEqualTo(
                        "{\n  \"count\": 12,\n  \"p50Ms\": 1.250,\n  \"ok\": true,\n"
                                + "  \"inner\": {\n    \"text\": \"a\\\"b\\\\c\\u000ad\"\n  }\n}\n");
    }
}
