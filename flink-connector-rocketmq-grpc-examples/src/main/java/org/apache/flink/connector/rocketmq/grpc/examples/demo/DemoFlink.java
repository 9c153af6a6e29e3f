/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FileUtils;

/**
 * A Flink in this JVM with as many slots as a demo job needs, in a temporary directory of its own.
 * Used by one thread. Closing ends the jobs and deletes the directory.
 */
final class DemoFlink implements AutoCloseable {

    private static final long CALL_SECONDS = 20;

    private final Path directory;
    private final MiniCluster cluster;

    private DemoFlink(Path directory, MiniCluster cluster) {
        this.directory = directory;
        this.cluster = cluster;
    }

    /** Starts it. */
    static DemoFlink start() throws Exception {
        Path directory = Files.createTempDirectory("rocketmq-demo-flink");
        DemoFlink flink = new DemoFlink(directory, new MiniCluster(configuration(directory)));
        try {
            flink.cluster.start();
            return flink;
        } catch (Exception e) {
            flink.close();
            throw e;
        }
    }

    private static MiniClusterConfiguration configuration(Path directory) {
        Configuration configuration = new Configuration();
        configuration.set(CoreOptions.TMP_DIRS, directory.toString());
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(16));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(16));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(16));
        configuration.setString("metrics.reporter.demo.factory.class", JobMetrics.class.getName());
        return new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(DemoPlan.PARALLELISM)
                .build();
    }

    /** Submits the job that the environment holds; it never restarts. */
    JobID submit(StreamExecutionEnvironment environment) throws Exception {
        return cluster.submitJob(environment.getStreamGraph().getJobGraph())
                .get(CALL_SECONDS, TimeUnit.SECONDS)
                .getJobID();
    }

    /** Fails with the cause if the job has ended. */
    void checkRunning(JobID job) throws Exception {
        JobStatus status = cluster.getJobStatus(job).get(CALL_SECONDS, TimeUnit.SECONDS);
        if (status.isTerminalState()) {
            Optional<Throwable> cause =
                    result(job).getSerializedThrowable().map(t -> (Throwable) t);
            throw new IllegalStateException(
                    "the job ended: "
                            + status
                            + cause.map(t -> ": " + ExceptionUtils.stringifyException(t))
                                    .orElse(""));
        }
    }

    /** Cancels the job and waits for its end. */
    void cancel(JobID job) throws Exception {
        cluster.cancelJob(job).get(CALL_SECONDS, TimeUnit.SECONDS);
        result(job);
    }

    private JobResult result(JobID job)
            throws InterruptedException, ExecutionException, TimeoutException {
        return cluster.requestJobResult(job).get(CALL_SECONDS, TimeUnit.SECONDS);
    }

    /** Ends it within 20 s, also under interrupt. */
    @Override
    public void close() throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            cluster.closeAsync().get(CALL_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("Flink did not end in order", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            FileUtils.deleteDirectory(directory.toFile());
        }
    }
}
