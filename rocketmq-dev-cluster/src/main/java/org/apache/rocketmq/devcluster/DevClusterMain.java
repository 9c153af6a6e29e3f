/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A dev cluster for people: starts it, says where it is, keeps it until Ctrl-C or SIGTERM. */
@Command(
        name = "dev-cluster",
        sortOptions = false,
        description =
                "Runs a RocketMQ with lite topics (name server, brokers, proxy) until Ctrl-C or"
                        + " SIGTERM, which leaves no process and no temporary file.")
public final class DevClusterMain implements Callable<Integer> {

    private static final long LOOK_EVERY_MS = 500;

    @Spec private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the proxy; 0, the default, takes a free one.")
    private int port;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Where the data are kept; by default in a temporary directory.")
    private Path dataDir;

    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            description = "A main topic for lite topics, created at the start.")
    private String topic;

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description = "A wildcard group over the lite topics of --topic.")
    private String group;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of brokers (default: ${DEFAULT-VALUE}).")
    private int brokers;

    @Option(
            names = "--store-type",
            paramLabel = "TYPE",
            defaultValue = "defaultRocksDB",
            description = "defaultRocksDB or default (default: ${DEFAULT-VALUE}).")
    private String storeType;

    @Option(names = "--help", usageHelp = true, description = "Shows this and ends.")
    private boolean help;

    /** Only picocli and {@link #main} make one. */
    DevClusterMain() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** A wrong value or a failed start is one line on standard error. */
    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new DevClusterMain());
        commandLine.setParameterExceptionHandler(
                (failure, args) -> {
                    CommandLine command = failure.getCommandLine();
                    command.getErr().println("dev-cluster: " + failure.getMessage());
                    return command.getCommandSpec().exitCodeOnInvalidInput();
                });
        commandLine.setExecutionExceptionHandler(
                (failure, command, result) -> {
                    command.getErr().println("dev-cluster: " + failure.getMessage());
                    return command.getCommandSpec().exitCodeOnExecutionException();
                });
        return commandLine;
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (DevCluster cluster = builder().start()) {
            if (topic != null) {
                cluster.createLiteTopic(topic);
            }
            if (group != null) {
                cluster.createLiteGroup(group, topic);
            }
            out.print(StartMessage.of(cluster, topic, group));
            out.flush();
            while (cluster.isAlive()) {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
            }
            throw new DevClusterException("the server process is gone");
        }
    }

    private DevCluster.Builder builder() {
        if (group != null && topic == null) {
            throw new ParameterException(
                    spec.commandLine(), "--group: " + group + " (expected: a --topic with it)");
        }
        try {
            DevCluster.Builder builder =
                    DevCluster.builder().brokers(brokers).proxyPort(port).storeType(storeType);
            return dataDir == null ? builder : builder.dataDir(dataDir);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
