/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.DescribedEnum;
import org.apache.flink.configuration.description.InlineElement;
import org.apache.flink.configuration.description.TextElement;

/**
 * In which order the acks of one delivery leave for the server.
 *
 * <p>An ack behind an unfinished message gains nothing (the server delivers both again) and commits
 * past it after a broker restart, which loses it.
 */
@PublicEvolving
public enum AckOrder implements DescribedEnum {
    /** In order, with a bounded wait. */
    AUTO(
            "auto",
            "In the order of the delivery; an ack waits behind a gap at most the order timeout, and"
                    + " not at all once the stream turned out not to be keyed by lite topic."),

    /** In order, whatever it takes. */
    LITE_TOPIC(
            "lite-topic",
            "Strictly in the order of the delivery; an ack behind an unfinished message waits, and"
                    + " is let go when the lease ends, when the lite topic is delivered anew or at"
                    + " the end of the input."),

    /** As they come. */
    NONE("none", "As they come.");

    private final String text;
    private final String description;

    AckOrder(String text, String description) {
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
