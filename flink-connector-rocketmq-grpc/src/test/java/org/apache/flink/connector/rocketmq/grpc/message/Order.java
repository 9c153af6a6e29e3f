/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

/**
 * A value type that has gained a field: the golden bytes {@code ackable-order-v1.bin} and their
 * snapshot were written when it had no note.
 */
public final class Order {

    public String id;
    public int amount;
    public String note;

    public Order() {}
}
