/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.rocketmq.devcluster.wire.AdminKeys;
import org.apache.rocketmq.devcluster.wire.DirectoryTree;
import org.apache.rocketmq.devcluster.wire.Verbs;

/**
 * A cluster that somebody else runs. Administration needs its name server; then a small child JVM,
 * started at the first such call, speaks the admin protocol. Any thread; the lock guards the start
 * of that child and is not held during a call.
 */
final class ExternalServer implements ClusterServer {

    private static final long ATTACH_SECONDS = 60;
    private static final String HEAP = "96m";

    private final String endpoints;
    private final String namesrvAddr;
    private final Runnable endWithJvm = this::close;
    private ServerProcess process;
    private Path directory;
    private List<String> brokerNames;
    private boolean closed;

    /**
     * Nothing is started yet.
     *
     * @param namesrvAddr may be blank: then only {@link #endpoints()} works
     */
    ExternalServer(String endpoints, String namesrvAddr) {
        this.endpoints = endpoints.trim();
        this.namesrvAddr = namesrvAddr.trim();
    }

    @Override
    public String endpoints() {
        return endpoints;
    }

    @Override
    public String namesrvAddr() {
        if (namesrvAddr.isEmpty()) {
            throw new IllegalStateException(
                    "the external cluster "
                            + endpoints
                            + " can be administrated only with -Drocketmq.namesrv=host:port");
        }
        return namesrvAddr;
    }

    @Override
    public List<String> brokerNames() {
        attached();
        synchronized (this) {
            return brokerNames;
        }
    }

    @Override
    public List<String> call(long seconds, String verb, String... arguments) {
        return attached().call(seconds, verb, Arrays.asList(arguments));
    }

    @Override
    public List<String> callOwn(long seconds, String verb, String... arguments) {
        throw unsupported(verb);
    }

    @Override
    public AdminKeys admin() {
        return null;
    }

    @Override
    public boolean isExternal() {
        return true;
    }

    @Override
    public boolean isAlive() {
        return true;
    }

    @Override
    public void kill() {
        throw unsupported("kill");
    }

    @Override
    public void startAgain() {
        throw unsupported("startAgain");
    }

    @Override
    public synchronized void close() {
        closed = true;
        LiveClusters.remove(endWithJvm);
        if (process != null) {
            process.destroy();
            process = null;
        }
        if (directory != null) {
            try {
                DirectoryTree.delete(directory);
            } catch (IOException e) {
                throw new DevClusterException("cannot delete " + directory, e);
            }
        }
    }

    private synchronized ServerProcess attached() {
        String namesrv = namesrvAddr();
        if (closed) {
            throw new IllegalStateException("the dev cluster is closed");
        }
        if (process == null) {
            if (directory == null) {
                directory = createDirectory();
                LiveClusters.add(endWithJvm);
            }
            ServerProcess starting = ServerProcess.launch(directory, HEAP);
            try {
                brokerNames =
                        starting.call(
                                ATTACH_SECONDS, Verbs.ATTACH, Arrays.asList(namesrv, endpoints));
                process = starting;
            } finally {
                if (process == null) {
                    starting.destroy();
                }
            }
        }
        return process;
    }

    private static Path createDirectory() {
        try {
            return DirectoryTree.createTemporary("rocketmq-dev-admin");
        } catch (IOException e) {
            throw new DevClusterException("cannot create a temporary directory", e);
        }
    }

    private UnsupportedOperationException unsupported(String what) {
        return new UnsupportedOperationException(
                what + " is not available on the external cluster " + endpoints);
    }
}
