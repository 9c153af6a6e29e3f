/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * Where calls wait while there is no session, each for a bounded time.
 *
 * <p>Used on the client's I/O thread only.
 */
final class ReadyGate {

    private final Loop loop;
    private final String endpoint;
    private final Set<CompletableFuture<RpcChannel>> waiting = new LinkedHashSet<>();
    private RpcChannel open;
    private RpcException refusal;

    /**
     * @param endpoint for messages
     */
    ReadyGate(Loop loop, String endpoint) {
        this.loop = loop;
        this.endpoint = endpoint;
    }

    /**
     * Waits for the session.
     *
     * @return the channel to use; fails with {@link RpcException}, at the latest after the bound
     */
    CompletableFuture<RpcChannel> pass(Duration bound) {
        CompletableFuture<RpcChannel> future = new CompletableFuture<>();
        if (refusal != null) {
            future.completeExceptionally(refusal);
        } else if (open != null) {
            future.complete(open);
        } else {
            waiting.add(future);
            Loop.Timer timer = loop.schedule(() -> expire(future, bound), bound);
            future.whenComplete((channel, error) -> timer.cancel());
        }
        return future;
    }

    /** There is a session: whoever waits may pass. */
    void open(RpcChannel channel) {
        open = channel;
        refusal = null;
        for (CompletableFuture<RpcChannel> future : takeWaiting()) {
            future.complete(channel);
        }
    }

    /** There is no session for the moment: whoever comes waits. */
    void close() {
        open = null;
    }

    /** There will be no session unless something changes: whoever waits or comes is refused. */
    void refuse(RpcException why) {
        open = null;
        refusal = why;
        for (CompletableFuture<RpcChannel> future : takeWaiting()) {
            future.completeExceptionally(why);
        }
    }

    private List<CompletableFuture<RpcChannel>> takeWaiting() {
        List<CompletableFuture<RpcChannel>> taken = new ArrayList<>(waiting);
        waiting.clear();
        return taken;
    }

    private void expire(CompletableFuture<RpcChannel> future, Duration bound) {
        waiting.remove(future);
        String text = "no session with " + endpoint + " within " + bound.toMillis() + " ms";
        future.completeExceptionally(
                new RpcException(ErrorKind.TRANSIENT, "UNAVAILABLE", "", endpoint, text, null));
    }
}
