/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

/** Names of the tenants' lite topics. */
final class Tenants {

    /** The lite topic that floods. */
    static final String HOT = "tenant-hot";

    private Tenants() {}

    /**
     * The lite topic of a cold tenant.
     *
     * @param index from 0
     */
    static String cold(int index) {
        return "tenant-" + index;
    }
}
