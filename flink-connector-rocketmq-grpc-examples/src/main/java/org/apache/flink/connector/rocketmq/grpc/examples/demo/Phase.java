/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

/** The two halves of the comparison. */
enum Phase {
    /** The gate admits everything. */
    UNTHROTTLED("unthrottled", "without throttling"),

    /** A token bucket for every lite topic. */
    THROTTLED("throttled", "with throttling");

    private final String key;
    private final String title;

    Phase(String key, String title) {
        this.key = key;
        this.title = title;
    }

    /** Name in the JSON file. */
    String key() {
        return key;
    }

    /** Name for people. */
    String title() {
        return title;
    }
}
