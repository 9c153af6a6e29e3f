/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;

/**
 * The connection of a session: opened with the first request, replaced when it could not start.
 * Thread-safe; its lock guards which connection is current and which ones are on their way out, and
 * is not held while calling one.
 */
final class AckTransport implements AutoCloseable {

    private final Supplier<LiteAcknowledger> factory;
    private final Consumer<Throwable> onStartFailed;
    private final Map<LiteAcknowledger, CompletableFuture<Void>> ending = new IdentityHashMap<>();
    private LiteAcknowledger current;
    private boolean closed;

    /**
     * @param onStartFailed hears why a connection could not start; the next request opens another
     */
    AckTransport(Supplier<LiteAcknowledger> factory, Consumer<Throwable> onStartFailed) {
        this.factory = factory;
        this.onStartFailed = onStartFailed;
    }

    /** Like {@link LiteAcknowledger#ack}; every failure is in the future. */
    CompletableFuture<List<AckResult>> ack(List<AckEntry> entries) {
        return call(acknowledger -> acknowledger.ack(entries));
    }

    /** Like {@link LiteAcknowledger#changeInvisibleDuration}; every failure is in the future. */
    CompletableFuture<String> changeInvisibleDuration(
            AckEntry entry, Duration duration, boolean suspend) {
        return call(a -> a.changeInvisibleDuration(entry, duration, suspend));
    }

    private <T> CompletableFuture<T> call(
            Function<LiteAcknowledger, CompletableFuture<T>> request) {
        try {
            return request.apply(connection());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private LiteAcknowledger connection() {
        LiteAcknowledger fresh;
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("the acknowledging session is closed");
            }
            if (current != null) {
                return current;
            }
            fresh = factory.get();
            current = fresh;
        }
        fresh.start()
                .whenComplete(
                        (started, error) -> {
                            if (error != null) {
                                startFailed(fresh, FailureSorter.unwrap(error));
                            }
                        });
        return fresh;
    }

    private void startFailed(LiteAcknowledger failed, Throwable error) {
        synchronized (this) {
            if (closed || current != failed) {
                return;
            }
            current = null;
        }
        beginClose(failed);
        onStartFailed.accept(error);
    }

    private void beginClose(LiteAcknowledger connection) {
        CompletableFuture<Void> end = connection.beginClose();
        synchronized (this) {
            ending.values().removeIf(CompletableFuture::isDone);
            ending.put(connection, end);
        }
    }

    /** Takes no more requests and closes in the background. Idempotent, from any thread. */
    void beginClose() {
        LiteAcknowledger last;
        synchronized (this) {
            closed = true;
            last = current;
            current = null;
        }
        if (last != null) {
            beginClose(last);
        }
    }

    /** True if a close was begun and every connection is gone. */
    synchronized boolean isClosed() {
        return closed && ending.values().stream().allMatch(CompletableFuture::isDone);
    }

    /** Closes and waits for the end, at most 2 s from its beginning. Idempotent. */
    @Override
    public void close() {
        beginClose();
        List<LiteAcknowledger> toAwait;
        synchronized (this) {
            toAwait = new ArrayList<>(ending.keySet());
        }
        toAwait.forEach(LiteAcknowledger::close);
    }
}
