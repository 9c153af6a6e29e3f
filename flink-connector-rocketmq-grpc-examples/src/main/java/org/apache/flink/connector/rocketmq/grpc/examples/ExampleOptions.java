/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples;

import picocli.CommandLine.Option;

/** Where an example reads from; a picocli mix-in. */
public final class ExampleOptions {

    @Option(
            names = "--endpoints",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:8081",
            description = "Proxy endpoints, several separated by ';' (default: 127.0.0.1:8081).")
    private String endpoints;

    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            defaultValue = "LiteMainTopic",
            description = "Main topic (default: LiteMainTopic).")
    private String topic;

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            defaultValue = "GID-lite",
            description = "Consumer group (default: GID-lite).")
    private String group;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    /** Proxy endpoints. */
    public String endpoints() {
        return endpoints;
    }

    /** Main topic. */
    public String topic() {
        return topic;
    }

    /** Consumer group. */
    public String group() {
        return group;
    }
}
