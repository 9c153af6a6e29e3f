/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import apache.rocketmq.v2.MessagingServiceGrpc;
import io.grpc.Attributes;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.apache.rocketmq.grpc.lite.CredentialsProvider;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.apache.rocketmq.grpc.lite.fixtures.Signature;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests are signed when there are credentials, and a refusal is judged and explained. */
class ClientAccessTest {

    private static final String SECRET = "s3cret-value";
    private static final String DATE = "20260101T000000Z";
    private static final Credentials CREDENTIALS = Credentials.of("alice", SECRET, "token-1");

    private final ManualLoop loop = new ManualLoop();

    @Test
    void aRequestCarriesSignatureAndToken() {
        Outcome outcome = sign(CredentialsProvider.of(CREDENTIALS));

        assertThat(header(outcome, "authorization"))
                .isEqualTo(
                        "MQv2-HMAC-SHA1 Credential=alice, SignedHeaders=x-mq-date-time, Signature="
                                + Signature.of(SECRET, DATE));
        assertThat(header(outcome, "x-mq-session-token")).isEqualTo("token-1");
        assertThat(outcome.headers.toString()).doesNotContain(SECRET);
    }

    @Test
    void theSignatureIsTheHmacOfTheDate() {
        Metadata headers = RequestSigner.sign(Credentials.of("ak", "sk"), DATE);

        // printf 20260101T000000Z | openssl dgst -sha1 -hmac sk
        assertThat(headers.get(key("authorization")))
                .endsWith("Signature=7D48B06369ADC2335751B3604F89EA92F419DAB4");
        assertThat(headers.keys()).containsExactly("authorization");
    }

    @Test
    void withoutAProviderNothingIsSigned() {
        assertThat(access(null).sign(CallOptions.DEFAULT, call(access(null)), DATE))
                .isSameAs(CallOptions.DEFAULT);
    }

    @Test
    void aRequestWaitsForCredentialsThatComeLater() {
        CompletableFuture<Credentials> later = new CompletableFuture<>();
        Outcome outcome = sign(provider(later));
        assertThat(outcome.headers).isNull();
        assertThat(outcome.failure).isNull();

        later.complete(CREDENTIALS);
        assertThat(header(outcome, "authorization")).contains("Credential=alice");
    }

    @Test
    void aRequestFailsForNowWhenCredentialsTakeTooLong() {
        CompletableFuture<Credentials> never = new CompletableFuture<>();
        Outcome outcome = sign(provider(never));

        loop.advance(Duration.ofSeconds(2));
        assertThat(outcome.failure.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(outcome.failure.getDescription())
                .isEqualTo("no credentials: none within 2 s from a test");
        assertThat(never).isNotDone();
    }

    @Test
    void aRequestFailsForGoodWhenThereAreNoCredentials() {
        CompletionStage<Credentials> failed =
                CompletableFuture.failedFuture(new IllegalStateException("no such file"));
        CredentialsProvider throwing =
                () -> {
                    throw new IllegalStateException("thrown");
                };

        assertUnauthenticated(provider(failed), "no credentials: no such file");
        assertUnauthenticated(throwing, "no credentials: thrown");
        assertUnauthenticated(
                provider(CompletableFuture.completedFuture(null)),
                "no credentials: the provider has none");
    }

    @Test
    void aTimeOutOfTheProviderMayPass() {
        Outcome outcome =
                sign(provider(CompletableFuture.failedFuture(new TimeoutException("slow"))));
        assertThat(outcome.failure.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void aRequestThatCannotBeSignedFailsAtOnceWithoutASecretInTheMessage() {
        ClientAccess access =
                new ClientAccess(
                        Optional.of(new Rotating()),
                        "orders",
                        "GID-orders",
                        loop,
                        (credentials, date) -> {
                            throw new IllegalStateException("bad key " + credentials.secretKey());
                        });
        CallInfo call = call(access);
        Outcome outcome = sign(access, call);

        assertThat(outcome.failure.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(outcome.failure.getDescription())
                .isEqualTo("signing failed: java.lang.IllegalStateException");
        assertThat(outcome.headers).isNull();
        // no server refused it, so other credentials are not waited for
        RpcException failed = call.failed(outcome.failure.asRuntimeException(), true);
        assertThat(failed.kind()).isEqualTo(ErrorKind.FATAL);
        assertThat(failed).hasMessageContaining("signing failed").hasMessageNotContaining("Repair");
        assertThat(failed.toString()).doesNotContain(SECRET);
    }

    @Test
    void aRefusalTellsWhatKeptTheProviderFromLookingForOthers() {
        CredentialsProvider stuck =
                new CredentialsProvider() {
                    @Override
                    public CompletionStage<Credentials> credentials() {
                        return CompletableFuture.completedFuture(CREDENTIALS);
                    }

                    @Override
                    public Optional<String> obstacle() {
                        return Optional.of("vault sealed for 60 s");
                    }
                };

        assertThat(access(stuck).hint("UNAUTHORIZED", "check signature failed."))
                .contains("mqadmin getUser")
                .endsWith(". vault sealed for 60 s");
        assertThat(access(stuck).hint("UNAUTHORIZED", "User:a has no permission"))
                .contains("mqadmin createAcl")
                .endsWith(". vault sealed for 60 s");
        assertThat(access(stuck).hint("NOT_FOUND", "no topic")).isEmpty();
    }

    @Test
    void anUnauthorizedRequestMayPassOnlyIfTheProviderSaysSo() {
        ClientAccess steady = access(CredentialsProvider.of(CREDENTIALS));
        ClientAccess rotating = access(new Rotating());

        assertThat(steady.judge(ErrorKind.FATAL, "UNAUTHORIZED", CREDENTIALS))
                .isEqualTo(ErrorKind.FATAL);
        assertThat(rotating.judge(ErrorKind.FATAL, "UNAUTHORIZED", CREDENTIALS))
                .isEqualTo(ErrorKind.TRANSIENT);
        assertThat(rotating.judge(ErrorKind.FATAL, "UNAUTHORIZED", null))
                .isEqualTo(ErrorKind.FATAL);
        assertThat(rotating.judge(ErrorKind.FATAL, "ILLEGAL_LITE_TOPIC", CREDENTIALS))
                .isEqualTo(ErrorKind.FATAL);
        assertThat(access(null).judge(ErrorKind.FATAL, "UNAUTHORIZED", null))
                .isEqualTo(ErrorKind.FATAL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UNAUTHORIZED | User:a has no permission to access Topic:t from | createAcl",
                "FORBIDDEN    | no permission                                   | createAcl",
                "UNAUTHORIZED | check signature failed.                         | getUser",
                "UNAUTHORIZED | User:a is not found.                            | getUser",
                "UNAUTHENTICATED | no credentials: no such file                 | ''",
                "FORBIDDEN    | no readable queue                               | ''",
                "NOT_FOUND    | no permission                                   | ''",
            })
    void aRefusalComesWithItsRepair(String code, String said, String repair) {
        String hint = access(CredentialsProvider.of(CREDENTIALS)).hint(code, said);

        if (repair.isEmpty()) {
            assertThat(hint).isEmpty();
        } else {
            assertThat(hint).contains("mqadmin " + repair).doesNotContain(SECRET, "alice");
        }
    }

    @Test
    void theRepairNamesWhatConsumersAndProducersNeed() {
        String said = "has no permission";
        assertThat(access(null).hint("UNAUTHORIZED", said))
                .contains("-r Topic:orders,Group:GID-orders -a Sub -d Allow");
        assertThat(
                        new ClientAccess(Optional.empty(), "orders", "", loop)
                                .hint("UNAUTHORIZED", said))
                .contains("-r Topic:orders -a Pub -d Allow");
        assertThat(access(null).hint("UNAUTHORIZED", "username cannot be null."))
                .contains("signed requests only");
    }

    @Test
    void credentialsShowNothingAndRefuseWhatAHeaderCannotCarry() {
        assertThat(CREDENTIALS.toString()).doesNotContain("alice", SECRET, "token");
        assertThat(CredentialsProvider.of(CREDENTIALS).toString()).doesNotContain("alice", SECRET);
        for (String wrong : new String[] {"", "a b", "a/b", "a,b", "ä", "a\n"}) {
            assertThatThrownBy(() -> Credentials.of(wrong, SECRET))
                    .hasMessageStartingWith("access key: ")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain(SECRET));
        }
        assertThatThrownBy(() -> Credentials.of("a", "")).hasMessageStartingWith("secret key: ");
        assertThatThrownBy(() -> Credentials.of("a", SECRET, "s3cret token"))
                .hasMessageStartingWith("security token: ")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s3cret"));
    }

    private void assertUnauthenticated(CredentialsProvider provider, String text) {
        Outcome outcome = sign(provider);
        assertThat(outcome.failure.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(outcome.failure.getDescription()).isEqualTo(text);
    }

    private Outcome sign(CredentialsProvider provider) {
        ClientAccess access = access(provider);
        return sign(access, call(access));
    }

    private static Outcome sign(ClientAccess access, CallInfo call) {
        CallOptions options = access.sign(CallOptions.DEFAULT, call, DATE);
        Outcome outcome = new Outcome();
        options.getCredentials().applyRequestMetadata(new Request(), task -> task.run(), outcome);
        return outcome;
    }

    private ClientAccess access(CredentialsProvider provider) {
        return new ClientAccess(Optional.ofNullable(provider), "orders", "GID-orders", loop);
    }

    private static CallInfo call(ClientAccess access) {
        return new CallInfo("AckMessage", "request-1", "host:1", access);
    }

    private static CredentialsProvider provider(CompletionStage<Credentials> stage) {
        return new CredentialsProvider() {
            @Override
            public CompletionStage<Credentials> credentials() {
                return stage;
            }

            @Override
            public String toString() {
                return "a test";
            }
        };
    }

    private static String header(Outcome outcome, String name) {
        return outcome.headers.get(key(name));
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** Hopes for other credentials. */
    private static final class Rotating implements CredentialsProvider {
        @Override
        public CompletionStage<Credentials> credentials() {
            return CompletableFuture.completedFuture(CREDENTIALS);
        }

        @Override
        public boolean refused(Credentials credentials) {
            return true;
        }
    }

    /** What gRPC would have got. */
    private static final class Outcome extends CallCredentials.MetadataApplier {
        private Metadata headers;
        private Status failure;

        @Override
        public void apply(Metadata applied) {
            headers = applied;
        }

        @Override
        public void fail(Status status) {
            failure = status;
        }
    }

    /** A call as gRPC describes it. */
    private static final class Request extends CallCredentials.RequestInfo {
        @Override
        public MethodDescriptor<?, ?> getMethodDescriptor() {
            return MessagingServiceGrpc.getAckMessageMethod();
        }

        @Override
        public SecurityLevel getSecurityLevel() {
            return SecurityLevel.NONE;
        }

        @Override
        public String getAuthority() {
            return "host:1";
        }

        @Override
        public Attributes getTransportAttrs() {
            return Attributes.EMPTY;
        }
    }
}
