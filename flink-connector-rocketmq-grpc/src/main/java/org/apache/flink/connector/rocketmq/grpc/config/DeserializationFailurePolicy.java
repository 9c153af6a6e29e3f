/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.DescribedEnum;
import org.apache.flink.configuration.description.InlineElement;
import org.apache.flink.configuration.description.TextElement;

/** What the source does with a message that cannot be turned into records. */
@PublicEvolving
public enum DeserializationFailurePolicy implements DescribedEnum {
    /** The job fails. */
    FAIL("fail", "The job fails, naming the message."),

    /** The message is settled and counted. */
    SKIP("skip", "The message is settled like one without a record, and counted."),

    /** The message is tried again after a while. */
    RETRY_LATER(
            "retry-later",
            "The message and the rest of its delivery are deferred by the retry delay, for a number"
                    + " of attempts.");

    private final String text;
    private final String description;

    DeserializationFailurePolicy(String text, String description) {
        this.text = text;
        this.description = description;
    }

    @Override
    public InlineElement getDescription() {
        return TextElement.text(description);
    }

    /** As written in the option. */
    @Override
    public String toString() {
        return text;
    }
}
