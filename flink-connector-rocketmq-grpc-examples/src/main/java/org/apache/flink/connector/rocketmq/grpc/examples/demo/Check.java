/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

/** One thing the demo promises: what was asked and what came out. Immutable. */
final class Check {

    private final String name;
    private final String asked;
    private final String cameOut;
    private final boolean holds;

    Check(String name, String asked, String cameOut, boolean holds) {
        this.name = name;
        this.asked = asked;
        this.cameOut = cameOut;
        this.holds = holds;
    }

    /** What it is about. */
    String name() {
        return name;
    }

    /** What was asked. */
    String asked() {
        return asked;
    }

    /** What came out. */
    String cameOut() {
        return cameOut;
    }

    /** Whether that will do. */
    boolean holds() {
        return holds;
    }
}
