/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.rocketmq.grpc.lite.AckEntry;

/**
 * Sends what changes an invisible duration: deferrals, which re-time a whole delivery, and
 * extensions, which re-time one message and, one by one, what rides on it. Both are repeated while
 * they fail for now, with the handle they came with: an answer without a new handle changes
 * nothing. Guarded by the session's lock.
 */
final class ChangeSender {

    private static final String DEFERRAL = "deferral";
    private static final String EXTENSION = "extension";

    /** Hears the ends, under the session's lock. */
    interface Listener {
        void deferred(Deferral deferral, AckOutcome outcome);

        void deferralFailed(Deferral deferral, AckFailedException failure);

        /** Asked before each step but the first: true if its message is not to be extended now. */
        boolean letsGo(ExtensionCall call);

        void extended(ExtensionCall call, RocketMQReceiptHandle renewed);

        void extensionFailed(ExtensionCall call, AckFailedException failure);
    }

    private final SessionLoop loop;
    private final AckTransport transport;
    private final FailureSorter failures;
    private final Semaphore repeats;
    private final Listener listener;

    /**
     * @param repeats the places of what is repeated
     */
    ChangeSender(
            SessionLoop loop,
            AckTransport transport,
            FailureSorter failures,
            Semaphore repeats,
            Listener listener) {
        this.loop = loop;
        this.transport = transport;
        this.failures = failures;
        this.repeats = repeats;
        this.listener = listener;
    }

    /** Defers at once. */
    void send(Deferral deferral) {
        loop.effect(() -> request(deferral));
    }

    private void request(Deferral deferral) {
        Duration left = Duration.ofMillis(deferral.leftMillis(loop.now()));
        deferral.call().stats().deferralRpcs.incrementAndGet();
        transport
                .changeInvisibleDuration(deferral.entry(), left, true)
                .whenComplete((renewed, error) -> loop.run(() -> answered(deferral, error)));
    }

    private void answered(Deferral deferral, Throwable error) {
        if (error == null) {
            deferral.call().stats().deferrals.incrementAndGet();
            listener.deferred(deferral, AckOutcome.SETTLED);
            return;
        }
        switch (failures.sort(DEFERRAL, deferral.entry(), error)) {
            case STALE_HANDLE:
                listener.deferred(deferral, AckOutcome.STALE);
                break;
            case TRANSIENT:
                repeatLater(deferral);
                break;
            default:
                listener.deferralFailed(
                        deferral, AckFailedException.of(DEFERRAL, deferral.entry(), error));
        }
    }

    private void repeatLater(Deferral deferral) {
        if (deferral.retries().isOver(loop.now())) {
            leaseEnded(deferral);
            return;
        }
        deferral.call().stats().retried.incrementAndGet();
        deferral.call().repeats(repeats);
        loop.later(
                deferral.retries().nextMillis(loop.now()),
                () -> {
                    if (deferral.retries().isOver(loop.now())) {
                        leaseEnded(deferral);
                    } else {
                        send(deferral);
                    }
                });
    }

    private void leaseEnded(Deferral deferral) {
        failures.leaseEnded(DEFERRAL, deferral.entry());
        listener.deferred(deferral, AckOutcome.STALE);
    }

    /** Extends at once. */
    void send(ExtensionCall call, Duration duration) {
        AckEntry entry = call.next();
        loop.effect(() -> request(call, entry, duration));
    }

    private void request(ExtensionCall call, AckEntry entry, Duration duration) {
        long leaseEnd = loop.now() + duration.toMillis();
        transport
                .changeInvisibleDuration(entry, duration, false)
                .whenComplete(
                        (receipt, error) ->
                                loop.run(
                                        () -> {
                                            if (error == null) {
                                                call.extended(receipt, leaseEnd);
                                                goOn(call, duration);
                                            } else {
                                                extensionFailed(call, duration, error);
                                            }
                                        }));
    }

    private void goOn(ExtensionCall call, Duration duration) {
        if (call.isComplete()) {
            listener.extended(call, call.renewed());
        } else {
            sendNext(call, duration);
        }
    }

    private void sendNext(ExtensionCall call, Duration duration) {
        if (call.hasEnded()) {
            return;
        }
        if (listener.letsGo(call)) {
            listener.extended(call, call.handle());
        } else {
            send(call, duration);
        }
    }

    private void extensionFailed(ExtensionCall call, Duration duration, Throwable error) {
        switch (failures.sort(EXTENSION, call.next(), error)) {
            case TRANSIENT:
                if (call.retries().isOver(loop.now())) {
                    listener.extensionFailed(call, failure(call, error));
                    return;
                }
                call.stats().retried.incrementAndGet();
                call.repeats(repeats);
                loop.later(
                        call.retries().nextMillis(loop.now()), () -> repeat(call, duration, error));
                break;
            case STALE_HANDLE:
            default:
                listener.extensionFailed(call, failure(call, error));
        }
    }

    private void repeat(ExtensionCall call, Duration duration, Throwable lastError) {
        if (call.retries().isOver(loop.now())) {
            listener.extensionFailed(call, failure(call, lastError));
        } else {
            sendNext(call, duration);
        }
    }

    private static AckFailedException failure(ExtensionCall call, Throwable error) {
        return AckFailedException.of(EXTENSION, call.handle(), error);
    }
}
