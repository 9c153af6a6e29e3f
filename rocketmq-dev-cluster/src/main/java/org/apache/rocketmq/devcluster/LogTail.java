/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The end of a log file, for an error message. */
final class LogTail {

    private static final int MAX_BYTES = 3_000;

    private LogTail() {}

    static String of(Path log) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - MAX_BYTES);
            byte[] tail = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(tail);
            String text = new String(tail, StandardCharsets.UTF_8).trim();
            return text.isEmpty() ? "; its log is empty" : "; end of its log:\n" + text;
        } catch (IOException e) {
            return "; its log " + log + " cannot be read: " + e.getMessage();
        }
    }
}
