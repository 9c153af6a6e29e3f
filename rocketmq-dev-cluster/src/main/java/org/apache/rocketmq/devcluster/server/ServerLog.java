/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * The child's own few log lines. They go to its standard error, which the parent points at a file;
 * the server's loggers write to files of their own.
 */
final class ServerLog {

    private static final PrintStream LOG =
            new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);

    private ServerLog() {}

    static void info(String message) {
        LOG.println(Instant.now() + " INFO  " + message);
    }

    static void error(String message, Throwable failure) {
        synchronized (LOG) {
            LOG.println(Instant.now() + " ERROR " + message);
            failure.printStackTrace(LOG);
        }
    }
}
