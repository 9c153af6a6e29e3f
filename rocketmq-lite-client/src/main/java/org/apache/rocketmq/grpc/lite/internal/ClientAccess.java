/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.apache.rocketmq.grpc.lite.CredentialsProvider;
import org.apache.rocketmq.grpc.lite.ErrorKind;

/**
 * How a client proves who it is, and what a refusal of it means. Used on the I/O thread; the
 * provider may answer on any.
 */
final class ClientAccess {

    private static final String NO_CREDENTIALS = "no credentials";
    private static final String SIGNING_FAILED = "signing failed";
    private static final Duration MAX_WAIT = Duration.ofSeconds(2);

    private final Optional<CredentialsProvider> provider;
    private final String topic;
    private final String group;
    private final Loop loop;
    private final BiFunction<Credentials, String, Metadata> signer;

    /**
     * @param provider empty for requests without a signature
     * @param topic for messages
     * @param group for messages; empty for a producer
     */
    ClientAccess(Optional<CredentialsProvider> provider, String topic, String group, Loop loop) {
        this(provider, topic, group, loop, RequestSigner::sign);
    }

    /**
     * The same with a signer of its own.
     *
     * @param signer gives the headers for credentials and a date
     */
    ClientAccess(
            Optional<CredentialsProvider> provider,
            String topic,
            String group,
            Loop loop,
            BiFunction<Credentials, String, Metadata> signer) {
        this.loop = loop;
        this.provider = provider;
        this.topic = topic;
        this.group = group;
        this.signer = signer;
    }

    /** Has the call signed, as soon as there are credentials; without them it fails. */
    CallOptions sign(CallOptions options, CallInfo call, String date) {
        return provider.isPresent()
                ? options.withCallCredentials(new Signature(provider.get(), call, date))
                : options;
    }

    /**
     * What the refusal of a signed request means: a wrong signature may only be an old one.
     *
     * @param kind what the code alone says
     */
    ErrorKind judge(ErrorKind kind, String code, Credentials signedWith) {
        boolean maybeOld =
                kind == ErrorKind.FATAL
                        && signedWith != null
                        && isUnauthorized(code)
                        && provider.isPresent()
                        && provider.get().refused(signedWith);
        return maybeOld ? ErrorKind.TRANSIENT : kind;
    }

    /** What to repair when the server said this; empty if it has nothing to do with access. */
    String hint(String code, String said) {
        String text = said.toLowerCase(Locale.ROOT);
        boolean unauthorized = isUnauthorized(code);
        if (!unauthorized && !code.equals("FORBIDDEN") && !code.equals("PERMISSION_DENIED")) {
            return "";
        }
        if (text.contains("permission") || text.contains("policies")) {
            return permissionRepair() + obstacle();
        }
        if (!unauthorized || text.contains(NO_CREDENTIALS) || text.contains(SIGNING_FAILED)) {
            return "";
        }
        return keysRepair() + obstacle();
    }

    private String permissionRepair() {
        return "Repair: mqadmin createAcl (updateAcl, if the user has permissions already)"
                + " -n <namesrv> -c <cluster> -s User:<access key> -r "
                + (group.isEmpty()
                        ? "Topic:" + topic + " -a Pub"
                        : "Topic:" + topic + ",Group:" + group + " -a Sub")
                + " -d Allow";
    }

    private String keysRepair() {
        return provider.isPresent()
                ? "Repair: check access key and secret key, and with mqadmin getUser -n <namesrv>"
                        + " -c <cluster> -u <access key> that the user exists and is enabled"
                : "Repair: the server takes signed requests only, set access key and secret key or"
                        + " a credentials resolver";
    }

    private String obstacle() {
        return provider.flatMap(CredentialsProvider::obstacle).map(why -> ". " + why).orElse("");
    }

    private static boolean isUnauthorized(String code) {
        return code.equals("UNAUTHORIZED") || code.equals("UNAUTHENTICATED");
    }

    /** The signature of one call. */
    private final class Signature extends CallCredentials {

        private final CredentialsProvider provider;
        private final CallInfo call;
        private final String date;

        private Signature(CredentialsProvider provider, CallInfo call, String date) {
            this.provider = provider;
            this.call = call;
            this.date = date;
        }

        @Override
        public void applyRequestMetadata(
                RequestInfo request, Executor executor, MetadataApplier applier) {
            CompletionStage<Credentials> found;
            try {
                found = provider.credentials();
            } catch (RuntimeException | LinkageError e) {
                applier.fail(failure(e));
                return;
            }
            // a copy: the provider's own future is not to be completed from here
            CompletableFuture<Credentials> bounded = new CompletableFuture<>();
            found.whenComplete((credentials, error) -> settle(bounded, credentials, error));
            Loop.Timer limit =
                    bounded.isDone()
                            ? () -> {}
                            : loop.schedule(() -> bounded.completeExceptionally(late()), MAX_WAIT);
            bounded.whenComplete(
                    (credentials, error) -> {
                        limit.cancel();
                        if (error != null) {
                            applier.fail(failure(error));
                        } else {
                            apply(credentials, applier);
                        }
                    });
        }

        private void apply(Credentials credentials, MetadataApplier applier) {
            Metadata headers;
            try {
                headers = signer.apply(credentials, date);
            } catch (RuntimeException | Error e) {
                applier.fail(unsigned(e));
                return;
            }
            call.signedWith(credentials);
            applier.apply(headers);
        }

        private void settle(
                CompletableFuture<Credentials> bounded, Credentials credentials, Throwable error) {
            if (error != null) {
                bounded.completeExceptionally(error);
            } else if (credentials == null) {
                bounded.completeExceptionally(new IllegalStateException("the provider has none"));
            } else {
                bounded.complete(credentials);
            }
        }

        private TimeoutException late() {
            return new TimeoutException(
                    "none within " + MAX_WAIT.getSeconds() + " s from " + provider);
        }

        /** Names only what kind of failure it is: its text may quote what was to be signed with. */
        private Status unsigned(Throwable error) {
            return Status.UNAUTHENTICATED.withDescription(
                    SIGNING_FAILED + ": " + error.getClass().getName());
        }

        private Status failure(Throwable error) {
            Throwable cause = error;
            while (cause instanceof CompletionException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            Status status =
                    cause instanceof TimeoutException ? Status.UNAVAILABLE : Status.UNAUTHENTICATED;
            return status.withDescription(NO_CREDENTIALS + ": " + cause.getMessage());
        }
    }
}
