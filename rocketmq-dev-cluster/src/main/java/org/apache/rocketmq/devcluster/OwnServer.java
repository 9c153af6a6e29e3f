/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.devcluster.wire.AdminKeys;
import org.apache.rocketmq.devcluster.wire.DirectoryTree;
import org.apache.rocketmq.devcluster.wire.ServerSettings;
import org.apache.rocketmq.devcluster.wire.Verbs;

/**
 * A cluster in a child JVM. No lock: the child is one atomic reference, so that {@link #close} and
 * {@link #kill} from any thread end a start or a command that another thread waits for.
 */
final class OwnServer implements ClusterServer {

    private static final long START_SECONDS = 150;
    private static final int START_ATTEMPTS = 5;

    private final ClusterOptions options;
    private final Path dataDir;
    private final AtomicReference<ServerProcess> process = new AtomicReference<>();
    private final Runnable endWithJvm = this::close;
    private volatile ServerSettings settings;
    private volatile boolean closed;

    private OwnServer(ClusterOptions options, Path dataDir) {
        this.options = options;
        this.dataDir = dataDir;
    }

    static OwnServer start(ClusterOptions options) {
        OwnServer server = new OwnServer(options, createDataDir(options));
        LiveClusters.add(server.endWithJvm);
        try {
            server.startOnFreePorts();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static Path createDataDir(ClusterOptions options) {
        try {
            return options.isTemporary()
                    ? DirectoryTree.createTemporary("rocketmq-dev-cluster")
                    : Files.createDirectories(options.dataDir());
        } catch (IOException e) {
            throw new DevClusterException("dataDir: cannot create " + options.dataDir(), e);
        }
    }

    private void startOnFreePorts() {
        for (int attempt = 1; ; attempt++) {
            settings = options.toSettings(dataDir);
            try {
                startProcess();
                return;
            } catch (DevClusterException e) {
                if (!e.isPortTaken() || attempt == START_ATTEMPTS) {
                    throw e;
                }
                kill();
            }
        }
    }

    private void startProcess() {
        ServerProcess starting = ServerProcess.launch(dataDir, options.heap());
        if (!process.compareAndSet(null, starting)) {
            starting.destroy();
            throw new IllegalStateException("the dev cluster is running");
        }
        if (closed) {
            kill();
            throw new IllegalStateException("the dev cluster is closed");
        }
        starting.call(START_SECONDS, Verbs.START, settings.toArguments());
    }

    @Override
    public String endpoints() {
        return settings.endpoints();
    }

    @Override
    public String namesrvAddr() {
        return settings.namesrvAddr();
    }

    @Override
    public List<String> brokerNames() {
        return IntStream.range(0, settings.brokerCount())
                .mapToObj(ServerSettings::brokerName)
                .collect(Collectors.toList());
    }

    @Override
    public List<String> call(long seconds, String verb, String... arguments) {
        ServerProcess running = process.get();
        if (running == null) {
            throw new IllegalStateException(
                    verb
                            + (closed
                                    ? ": the dev cluster is closed"
                                    : ": the dev cluster was killed and not started again"));
        }
        return running.call(seconds, verb, Arrays.asList(arguments));
    }

    @Override
    public List<String> callOwn(long seconds, String verb, String... arguments) {
        return call(seconds, verb, arguments);
    }

    @Override
    public AdminKeys admin() {
        return options.admin();
    }

    @Override
    public boolean isExternal() {
        return false;
    }

    @Override
    public boolean isAlive() {
        ServerProcess running = process.get();
        return running != null && running.isAlive();
    }

    @Override
    public void kill() {
        ServerProcess running = process.getAndSet(null);
        if (running != null) {
            running.destroy();
        }
    }

    @Override
    public void startAgain() {
        if (closed) {
            throw new IllegalStateException("the dev cluster is closed");
        }
        try {
            startProcess();
        } catch (DevClusterException e) {
            kill();
            throw e;
        }
    }

    @Override
    public void close() {
        closed = true;
        LiveClusters.remove(endWithJvm);
        kill();
        if (options.isTemporary()) {
            try {
                DirectoryTree.delete(dataDir);
            } catch (IOException e) {
                throw new DevClusterException("cannot delete " + dataDir, e);
            }
        }
    }
}
