/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.rocketmq.devcluster.DevCluster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The demo's command: a real RocketMQ, a Flink job with limited capacity, one tenant that floods,
 * and the difference a throttle makes to the others.
 *
 * <p>Exit codes: 0 if everything it promises holds, 1 if not or if the run failed, 2 for wrong
 * options, 130 if interrupted.
 */
@Command(
        name = "./demo",
        description =
                "One tenant floods, many do not. Shows what the others notice of it without"
                        + " and with throttling.",
        sortOptions = false)
public final class Demo implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(Demo.class);
    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int INTERRUPTED = 130;

    @Spec private CommandSpec spec;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "Seconds of load, both phases together, 10 to 3600 (default: 60).")
    private int seconds;

    @Option(
            names = "--tenants",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Cold tenants beside the hot one, 10 to 10000 (default: 2000).")
    private int tenants;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file.")
    private Path json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    /** Runs the demo and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(new InterruptOnShutdown().run(() -> command().execute(args)));
    }

    /** The command line with its error handling. */
    static CommandLine command() {
        return new CommandLine(new Demo())
                .setParameterExceptionHandler(Demo::explain)
                .setExecutionExceptionHandler(Demo::report);
    }

    @Override
    public Integer call() throws Exception {
        DemoPlan plan = plan();
        PrintWriter out = spec.commandLine().getOut();
        LiveTable table = new LiveTable(out);
        table.say("Starting RocketMQ: name server, broker and proxy in a process of their own ...");
        try (DevCluster cluster = DevCluster.builder().start();
                DemoFlink flink = DemoFlink.start()) {
            table.say("RocketMQ is ready at " + cluster.endpoints() + "; " + plan.describe());
            PhaseResult unthrottled = run(plan, Phase.UNTHROTTLED, cluster, flink, table);
            PhaseResult throttled = run(plan, Phase.THROTTLED, cluster, flink, table);
            DemoReport report = new DemoReport(plan, unthrottled, throttled);
            table.say(report.toText());
            if (json != null) {
                Files.write(json, JsonText.of(report.toJson()).getBytes(StandardCharsets.UTF_8));
            }
            return report.holds() ? OK : FAILED;
        }
    }

    private static PhaseResult run(
            DemoPlan plan, Phase phase, DevCluster cluster, DemoFlink flink, LiveTable table)
            throws Exception {
        Duration load = plan.load(phase);
        table.say("\nPhase " + phase.title() + ", " + load.toSeconds() + " s of load:");
        return new PhaseRun(plan, phase, cluster, flink, table).run();
    }

    private DemoPlan plan() {
        try {
            checkWritable(json);
            return new DemoPlan(seconds, tenants);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    /** Before a minute of work, not after it. */
    private static void checkWritable(Path file) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        boolean writable =
                Files.exists(file)
                        ? Files.isRegularFile(file) && Files.isWritable(file)
                        : directory != null && Files.isWritable(directory);
        if (!writable) {
            throw new IllegalArgumentException("--json: " + file + " (expected: a writable file)");
        }
    }

    private static int explain(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        command.getErr().println("./demo: " + failure.getMessage());
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static int report(
            Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        if (failure instanceof InterruptedException || Thread.interrupted()) {
            command.getErr().println("./demo: interrupted");
            return INTERRUPTED;
        }
        LOG.error("The demo failed", failure);
        command.getErr().println("./demo: failed: " + rootCause(failure));
        return FAILED;
    }

    private static Throwable rootCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
