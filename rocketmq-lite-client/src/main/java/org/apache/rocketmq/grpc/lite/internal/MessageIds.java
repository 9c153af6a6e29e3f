/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Locale;

/**
 * Ids of sent messages, in the layout that RocketMQ 5 clients use: {@code 01}, then 16 bytes in
 * hexadecimal: 6 of the machine and 2 of the process (here random, so that nothing about either
 * leaks), 4 of the start in seconds since 2021, 4 of a sequence. Used on one thread.
 */
final class MessageIds {

    private static final long EPOCH_SECONDS =
            Instant.parse("2021-01-01T00:00:00Z").getEpochSecond();
    private static final int ORIGIN_BYTES = 8;

    private final String prefix;
    private int sequence;

    /**
     * @param nowMillis wall clock
     */
    MessageIds(long nowMillis) {
        byte[] origin = new byte[ORIGIN_BYTES];
        new SecureRandom().nextBytes(origin);
        int seconds = (int) (nowMillis / 1000 - EPOCH_SECONDS);
        this.prefix =
                "01"
                        + String.format(
                                Locale.ROOT,
                                "%016X%08X",
                                ByteBuffer.wrap(origin).getLong(),
                                seconds);
    }

    /** An id that no other message has. */
    String next() {
        return prefix + String.format(Locale.ROOT, "%08X", sequence++);
    }
}
