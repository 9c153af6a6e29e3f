/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.time.Duration;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;

/** Options of the source. */
@PublicEvolving
public final class RocketMQGrpcSourceOptions {

    /** Main topic; required. */
    public static final ConfigOption<String> MAIN_TOPIC =
            ConfigOptions.key("rocketmq.source.main-topic")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("The main topic whose lite topics are read.");

    /** Consumer group; required. */
    public static final ConfigOption<String> CONSUMER_GROUP =
            ConfigOptions.key("rocketmq.source.consumer-group")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Consumer group: bound to the main topic, with the wildcard attribute.");

    /** Long polls per broker. */
    public static final ConfigOption<Integer> FETCH_CONCURRENCY =
            ConfigOptions.key("rocketmq.source.fetch-concurrency")
                    .intType()
                    .defaultValue(1)
                    .withDescription("Long polls in flight per broker and subtask.");

    /** Server-side wait of an empty poll. */
    public static final ConfigOption<Duration> AWAIT_DURATION =
            ConfigOptions.key("rocketmq.source.await-duration")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(20))
                    .withDescription(
                            "How long the server holds an empty poll; it clamps to 5 to 20 s.");

    /** Lease of a delivery. */
    public static final ConfigOption<Duration> INVISIBLE_DURATION =
            ConfigOptions.key("rocketmq.source.invisible-duration")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(60))
                    .withDescription(
                            "How long a delivered message stays invisible to others. It must cover"
                                    + " the processing of a whole delivery, up to max-message-num"
                                    + " messages of one lite topic.");

    /** Messages per poll. */
    public static final ConfigOption<Integer> MAX_MESSAGE_NUM =
            ConfigOptions.key("rocketmq.source.max-message-num")
                    .intType()
                    .defaultValue(32)
                    .withDescription("Most messages of one poll.");

    /** Bound of the waiting bytes. */
    public static final ConfigOption<MemorySize> MAX_QUEUED_BYTES =
            ConfigOptions.key("rocketmq.source.max-queued-bytes")
                    .memoryType()
                    .defaultValue(MemorySize.ofMebiBytes(64))
                    .withDescription(
                            "Most bytes of message bodies that wait in one subtask; polls get"
                                    + " smaller, then pause, when it is reached.");

    /** Renewal of waiting messages. */
    public static final ConfigOption<String> RENEWAL_POLICY_CLASS =
            ConfigOptions.key("rocketmq.source.renewal-policy-class")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Class that decides whether, and by how much, the invisible duration of"
                                    + " a message waiting in the reader is renewed: an"
                                    + " InvisibleDurationRenewalPolicy with a public constructor"
                                    + " without parameters. Not set: nothing is renewed.");

    /** When a waiting message is renewed. */
    public static final ConfigOption<Duration> RENEWAL_AHEAD_TIME =
            ConfigOptions.key("rocketmq.source.renewal-ahead-time")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(5))
                    .withDescription(
                            "How long before the end of its invisible duration a waiting message is"
                                    + " renewed; less than the invisible duration. About this much"
                                    + " is left at least to what leaves the reader.");

    /** Cap of all renewals of a message. */
    public static final ConfigOption<Duration> RENEWAL_MAX_DURATION =
            ConfigOptions.key("rocketmq.source.renewal-max-duration")
                    .durationType()
                    .defaultValue(Duration.ofHours(1))
                    .withDescription(
                            "How long after its arrival a waiting message stays invisible at most,"
                                    + " however often it is renewed.");

    /** What happens at the end of a reader to what it never emitted. */
    public static final ConfigOption<Boolean> RELEASE_ON_CLOSE =
            ConfigOptions.key("rocketmq.source.release-on-close")
                    .booleanType()
                    .defaultValue(true)
                    .withDescription(
                            "Whether a reader that ends makes the deliveries visible at once of"
                                    + " which it emitted nothing; otherwise they stay invisible"
                                    + " until their invisible duration ends.");

    /** When a reader without room leaves the group. */
    public static final ConfigOption<Duration> WITHDRAW_AFTER =
            ConfigOptions.key("rocketmq.source.withdraw-after")
                    .durationType()
                    .noDefaultValue()
                    .withDescription(
                            "After how long without room, or paused by watermark alignment, a"
                                    + " reader gives up its subscription until it can receive"
                                    + " again. Not set: never. For groups whose readers are loaded"
                                    + " unevenly; a lone reader only loses by it.");

    /** What happens to a message that cannot be read. */
    public static final ConfigOption<DeserializationFailurePolicy> DESERIALIZATION_FAILURE_POLICY =
            ConfigOptions.key("rocketmq.source.deserialization-failure-policy")
                    .enumType(DeserializationFailurePolicy.class)
                    .defaultValue(DeserializationFailurePolicy.FAIL)
                    .withDescription(
                            "What happens to a message that the deserialization schema cannot read,"
                                    + " or whose body does not match its digest.");

    /** Delay of the next attempt. */
    public static final ConfigOption<Duration> DESERIALIZATION_RETRY_DELAY =
            ConfigOptions.key("rocketmq.source.deserialization-retry-delay")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(30))
                    .withDescription(
                            "With retry-later: how long the message, and with it its lite topic, is"
                                    + " put off.");

    /** Attempts in all. */
    public static final ConfigOption<Integer> DESERIALIZATION_MAX_ATTEMPTS =
            ConfigOptions.key("rocketmq.source.deserialization-max-attempts")
                    .intType()
                    .defaultValue(3)
                    .withDescription(
                            "With retry-later: how often a subtask tries to read a message, the"
                                    + " first time included.");

    /** What follows the last attempt. */
    public static final ConfigOption<Boolean> DESERIALIZATION_SKIP_AFTER_RETRIES =
            ConfigOptions.key("rocketmq.source.deserialization-skip-after-retries")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription(
                            "With retry-later: whether the message is skipped after the last"
                                    + " attempt; otherwise the job fails.");

    /** Bounded reading. */
    public static final ConfigOption<Duration> BOUNDED_BY_IDLE =
            ConfigOptions.key("rocketmq.source.bounded-by-idle")
                    .durationType()
                    .noDefaultValue()
                    .withDescription(
                            "Makes the source bounded: a reader ends when nothing came for so long,"
                                    + " counted from 20 s after it joined and from the end of the"
                                    + " last lease it handed on. Not set: it never ends.");

    private RocketMQGrpcSourceOptions() {}
}
