/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.apache.rocketmq.grpc.lite.CredentialsProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credentials of one endpoint as a resolver finds them: kept for a while, looked up again in
 * the background, and looked up at once when the server refuses them.
 *
 * <p>A refusal is final when a look-up that began after it gives the same credentials. One that
 * fails proves nothing: others follow, and meanwhile requests are signed as before and refused for
 * now. That ends after a while without an answer of the resolver.
 *
 * <p>Called by the client's I/O thread; the look-up runs on the executor, at most one at a time.
 * {@code this} guards the fields and is not held during a look-up.
 */
final class RefreshingCredentials implements CredentialsProvider {

    /** How old credentials may be before a request has them looked up again. */
    static final Duration REFRESH = Duration.ofSeconds(5);

    /** How long it counts that refused credentials were found again: beyond any retry's pause. */
    static final Duration CONFIRMATION = Duration.ofMinutes(1);

    /** How long a refusal may stay without an answer of the resolver until it is final. */
    static final Duration UNANSWERED = Duration.ofMinutes(1);

    /** Pause after a look-up that failed while the known credentials are refused. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private static final int MAX_TEXT = 200;
    private static final Logger LOG = LoggerFactory.getLogger(RefreshingCredentials.class);

    private final String what;
    private final Callable<Credentials> lookup;
    private final Executor executor;
    private final LongSupplier nanoClock;

    private Credentials known;
    private long lookedUpAt;
    private CompletableFuture<Credentials> pending;
    private Credentials suspect;
    private long suspectSince;
    private boolean suspectLookupBegan;
    private String lastFailure;
    private Credentials confirmed;
    private long confirmedSince;

    /**
     * @param what resolver and endpoint, for messages
     */
    RefreshingCredentials(
            String what, Callable<Credentials> lookup, Executor executor, LongSupplier nanoClock) {
        this.what = what;
        this.lookup = lookup;
        this.executor = executor;
        this.nanoClock = nanoClock;
    }

    @Override
    public CompletionStage<Credentials> credentials() {
        CompletableFuture<Credentials> begun = null;
        CompletionStage<Credentials> answer;
        synchronized (this) {
            if (pending == null && isLookUpDue()) {
                begun = begin();
            }
            boolean waits = known == null || (suspect != null && !isOver(suspectSince, UNANSWERED));
            answer = waits && pending != null ? pending : CompletableFuture.completedFuture(known);
        }
        if (begun != null) {
            run(begun);
        }
        return answer;
    }

    private boolean isLookUpDue() {
        if (known == null) {
            return true;
        }
        if (suspect == null) {
            return isOver(lookedUpAt, REFRESH);
        }
        return lastFailure == null || isOver(lookedUpAt, PAUSE);
    }

    @Override
    public synchronized boolean refused(Credentials credentials) {
        LOG.debug("{}: a request was refused", what);
        if (!credentials.equals(known)) {
            return true;
        }
        if (credentials.equals(confirmed) && !isOver(confirmedSince, CONFIRMATION)) {
            return false;
        }
        if (suspect == null) {
            suspect = credentials;
            suspectSince = nanoClock.getAsLong();
            suspectLookupBegan = false;
        }
        return !isOver(suspectSince, UNANSWERED);
    }

    @Override
    public synchronized Optional<String> obstacle() {
        if (suspect == null || (lastFailure == null && !isOver(suspectSince, UNANSWERED))) {
            return Optional.empty();
        }
        Duration since = Duration.ofNanos(nanoClock.getAsLong() - suspectSince);
        return Optional.of(
                what
                        + " could not say for "
                        + since.getSeconds()
                        + " s whether there are others: "
                        + (lastFailure == null ? "no answer" : lastFailure));
    }

    private CompletableFuture<Credentials> begin() {
        pending = new CompletableFuture<>();
        suspectLookupBegan = suspect != null;
        return pending;
    }

    private void run(CompletableFuture<Credentials> result) {
        try {
            executor.execute(() -> look(result));
        } catch (RejectedExecutionException e) {
            finish(result, null, new IllegalStateException("closed", e));
        }
    }

    private void look(CompletableFuture<Credentials> result) {
        boolean again = true;
        while (again) {
            Credentials found = null;
            Throwable failure = null;
            try {
                found = lookup.call();
                if (found == null) {
                    failure = new IllegalStateException("null instead of credentials");
                }
            } catch (Throwable e) {
                // an Error too: whoever waits must learn it, and the next look-up must begin
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                failure = e;
            }
            again = !finish(result, found, failure);
        }
    }

    /**
     * Takes what a look-up found.
     *
     * @return false if the server refused the known ones while it ran, so that it may have seen the
     *     old state: look once more
     */
    private boolean finish(
            CompletableFuture<Credentials> result, Credentials found, Throwable failure) {
        Credentials answer;
        synchronized (this) {
            if (failure == null
                    && suspect != null
                    && !suspectLookupBegan
                    && found.equals(suspect)) {
                suspectLookupBegan = true;
                return false;
            }
            note(found, failure);
            pending = null;
            answer = known;
        }
        if (answer == null) {
            result.completeExceptionally(
                    new IllegalStateException(what + ": " + describe(failure), failure));
        } else {
            result.complete(answer);
        }
        return true;
    }

    private void note(Credentials found, Throwable failure) {
        lookedUpAt = nanoClock.getAsLong();
        if (failure != null) {
            lastFailure = describe(failure);
            if (known != null) {
                LOG.warn("{}: the old credentials stay in use: {}", what, lastFailure);
            }
            return;
        }
        lastFailure = null;
        if (known != null && !known.equals(found)) {
            LOG.info("{}: other credentials from now on", what);
        }
        known = found;
        if (found.equals(suspect)) {
            confirmed = found;
            confirmedSince = lookedUpAt;
        }
        suspect = null;
    }

    private boolean isOver(long since, Duration duration) {
        return nanoClock.getAsLong() - since >= duration.toNanos();
    }

    private static String describe(Throwable failure) {
        String text = failure.getMessage();
        String said = failure.getClass().getSimpleName() + (text == null ? "" : ": " + text);
        return said.length() <= MAX_TEXT ? said : said.substring(0, MAX_TEXT) + "…";
    }

    @Override
    public String toString() {
        return what;
    }
}
