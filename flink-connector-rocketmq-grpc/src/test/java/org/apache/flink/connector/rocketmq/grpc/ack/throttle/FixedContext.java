/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

/** A context for policy tests: a lite topic, a place in the delivery and a time. */
final class FixedContext implements ThrottleContext {

    private final String endpoint;
    private final String group;
    private final String liteTopic;
    private final int index;
    private final long now;

    FixedContext(String liteTopic, int index, long now) {
        this("127.0.0.1:8081", "GID-lite", liteTopic, index, now);
    }

    FixedContext(String endpoint, String group, String liteTopic, int index, long now) {
        this.endpoint = endpoint;
        this.group = group;
        this.liteTopic = liteTopic;
        this.index = index;
        this.now = now;
    }

    @Override
    public String getEndpoint() {
        return endpoint;
    }

    @Override
    public String getNamespace() {
        return "";
    }

    @Override
    public String getTopic() {
        return "LiteMainTopic";
    }

    @Override
    public String getLiteTopic() {
        return liteTopic;
    }

    @Override
    public String getConsumerGroup() {
        return group;
    }

    @Override
    public String getMessageId() {
        return liteTopic + "-" + index;
    }

    @Override
    public int getDeliveryAttempt() {
        return 1;
    }

    @Override
    public int getDeferrals() {
        return 0;
    }

    @Override
    public long getBornTimestamp() {
        return now;
    }

    @Override
    public int getIndexInDelivery() {
        return index;
    }

    @Override
    public long currentTimeMillis() {
        return now;
    }
}
