/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import apache.rocketmq.v2.Address;
import apache.rocketmq.v2.AddressScheme;
import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.Endpoints;
import apache.rocketmq.v2.MessageQueue;
import apache.rocketmq.v2.MessagingServiceGrpc;
import apache.rocketmq.v2.QueryRouteRequest;
import apache.rocketmq.v2.QueryRouteResponse;
import apache.rocketmq.v2.Resource;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.commons.codec.digest.HmacAlgorithms;
import org.apache.commons.codec.digest.HmacUtils;
import org.apache.rocketmq.devcluster.wire.AdminKeys;

/** A connection to a proxy with the server's own stubs, as one client id. */
final class ProxyClient implements AutoCloseable {

    private static final long RPC_TIMEOUT_SECONDS = 30;

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final ManagedChannel channel;
    private final Endpoints endpoints;
    private final Metadata headers = new Metadata();

    /**
     * A connection to a proxy.
     *
     * @param keys to sign with; null without access control
     */
    ProxyClient(String endpoint, AdminKeys keys) {
        int colon = endpoint.lastIndexOf(':');
        String host = endpoint.substring(0, colon);
        int port = Integer.parseInt(endpoint.substring(colon + 1));
        channel = ManagedChannelBuilder.forAddress(host, port).usePlaintext().build();
        endpoints =
                Endpoints.newBuilder()
                        .setScheme(AddressScheme.DOMAIN_NAME)
                        .addAddresses(Address.newBuilder().setHost(host).setPort(port))
                        .build();
        header("x-mq-client-id", "dev-cluster@" + UUID.randomUUID());
        header("x-mq-language", "JAVA");
        header("x-mq-client-version", "5.2.1");
        header("x-mq-protocol", "GRPC_V2");
        if (keys != null) {
            sign(keys);
        }
    }

    MessagingServiceGrpc.MessagingServiceBlockingStub blocking() {
        return withHeaders(
                MessagingServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(RPC_TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }

    MessagingServiceGrpc.MessagingServiceStub streaming() {
        return withHeaders(MessagingServiceGrpc.newStub(channel));
    }

    Endpoints endpoints() {
        return endpoints;
    }

    Route route(String topic) {
        QueryRouteResponse answer =
                blocking()
                        .queryRoute(
                                QueryRouteRequest.newBuilder()
                                        .setTopic(resource(topic))
                                        .setEndpoints(endpoints)
                                        .build());
        boolean known = answer.getStatus().getCode() == Code.OK;
        return new Route(known ? answer.getMessageQueuesList() : Collections.emptyList());
    }

    static Resource resource(String name) {
        return Resource.newBuilder().setName(name).build();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    /** One signature for all requests: server 5.5.0 does not compare the date with its clock. */
    private void sign(AdminKeys keys) {
        String date = DATE.format(Instant.now());
        header("x-mq-date-time", date);
        String signature =
                new HmacUtils(HmacAlgorithms.HMAC_SHA_1, keys.secretKey())
                        .hmacHex(date)
                        .toUpperCase(Locale.ROOT);
        header(
                "authorization",
                "MQv2-HMAC-SHA1 Credential="
                        + keys.accessKey()
                        + ", SignedHeaders=x-mq-date-time, Signature="
                        + signature);
    }

    private void header(String name, String value) {
        headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    }

    private <S extends AbstractStub<S>> S withHeaders(S stub) {
        return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** The answer to a route query. */
    static final class Route {

        private final List<MessageQueue> queues;

        private Route(List<MessageQueue> queues) {
            this.queues = queues;
        }

        boolean isEmpty() {
            return queues.isEmpty();
        }

        /** One queue of each broker; which one makes no difference to a lite consumer. */
        List<MessageQueue> queuePerBroker() {
            Map<String, MessageQueue> byBroker = new TreeMap<>();
            queues.forEach(queue -> byBroker.putIfAbsent(queue.getBroker().getName(), queue));
            return new ArrayList<>(byBroker.values());
        }

        boolean isExactly(String messageType, Set<String> brokers) {
            Set<String> routed =
                    queues.stream().map(q -> q.getBroker().getName()).collect(Collectors.toSet());
            return routed.equals(brokers) && queues.stream().allMatch(q -> accepts(q, messageType));
        }

        private static boolean accepts(MessageQueue queue, String messageType) {
            return queue.getAcceptMessageTypesList().stream()
                    .anyMatch(type -> type.name().equals(messageType));
        }
    }
}
