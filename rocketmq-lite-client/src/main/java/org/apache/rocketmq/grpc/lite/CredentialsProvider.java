/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Where a client finds its credentials. Asked before every request, so they can change while the
 * client runs. Called on the client's I/O thread: it must not block.
 */
public interface CredentialsProvider {

    /**
     * The credentials to sign a request with. The request waits for them as long as it may take in
     * all.
     *
     * @return may complete later, on any thread. Failing with {@link
     *     java.util.concurrent.TimeoutException} means that another attempt may help, any other
     *     failure that none can. What the failure says is shown to people, so it must hold no
     *     secret
     */
    CompletionStage<Credentials> credentials();

    /**
     * The server refused a request that was signed with these credentials. May be called several
     * times for the same ones.
     *
     * @return whether another attempt makes sense, because there are other credentials by now or
     *     may be; if not, the refusal is final
     */
    default boolean refused(Credentials credentials) {
        return false;
    }

    /**
     * What kept the provider from looking whether there are other credentials than the refused
     * ones. Asked for the message of a refusal.
     *
     * @return empty if nothing does; it must hold no secret
     */
    default Optional<String> obstacle() {
        return Optional.empty();
    }

    /** Credentials that never change. */
    static CredentialsProvider of(Credentials credentials) {
        Objects.requireNonNull(credentials, "credentials");
        return new CredentialsProvider() {
            @Override
            public CompletionStage<Credentials> credentials() {
                return CompletableFuture.completedFuture(credentials);
            }

            @Override
            public String toString() {
                return credentials.toString();
            }
        };
    }
}
