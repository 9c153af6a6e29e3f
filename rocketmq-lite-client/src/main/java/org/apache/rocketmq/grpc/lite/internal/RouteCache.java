/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.MessageQueue;
import apache.rocketmq.v2.MessageType;
import apache.rocketmq.v2.MessagingServiceGrpc;
import apache.rocketmq.v2.Permission;
import apache.rocketmq.v2.QueryRouteRequest;
import apache.rocketmq.v2.QueryRouteResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * The route of one topic: which brokers can be read. Only their names count; the addresses in a
 * route are not used, because they do not hold behind port mapping.
 *
 * <p>Used on the I/O thread; {@link #brokers()} from any.
 */
final class RouteCache {

    /** Code of a topic that exists and is not a lite topic. */
    static final String WRONG_TYPE = "TOPIC_OF_ANOTHER_TYPE";

    private final String namespace;
    private final String topic;
    private final Endpoints endpoints;
    private volatile Set<String> brokers = Collections.emptySet();
    private Set<String> listed = Collections.emptySet();
    private Consumer<Set<String>> listener = names -> {};

    RouteCache(String namespace, String topic, Endpoints endpoints) {
        this.namespace = namespace;
        this.topic = topic;
        this.endpoints = endpoints;
    }

    /** Names of the readable brokers as last heard; unmodifiable. */
    Set<String> brokers() {
        return brokers;
    }

    /** Names of the readable brokers in the latest answer, which may be none. */
    Set<String> listed() {
        return listed;
    }

    /** Tells the brokers again, though they are the same. */
    void tellAgain() {
        if (!brokers.isEmpty()) {
            listener.accept(brokers);
        }
    }

    /** Registers who hears of changes; told at once if there is a route already. */
    void onChange(Consumer<Set<String>> newListener) {
        listener = newListener;
        if (!brokers.isEmpty()) {
            newListener.accept(brokers);
        }
    }

    /**
     * Asks for the route. An answer without any readable broker changes nothing: the broker is away
     * and will be back under its name.
     *
     * @return true if there are brokers that were not there before; fails with {@link RpcException}
     */
    CompletableFuture<Boolean> refresh(RpcChannel channel, Duration timeout) {
        QueryRouteRequest request =
                QueryRouteRequest.newBuilder()
                        .setTopic(Requests.resource(namespace, topic))
                        .setEndpoints(Requests.accessPoint(endpoints.addresses().get(0)))
                        .build();
        return channel.call(MessagingServiceGrpc.getQueryRouteMethod(), request, timeout)
                .thenCompose(answer -> take(answer, channel.established()));
    }

    private CompletableFuture<Boolean> take(
            Answer<QueryRouteResponse> answer, boolean established) {
        QueryRouteResponse route = answer.value();
        if (route.getStatus().getCode() != Code.OK) {
            return CompletableFuture.failedFuture(
                    answer.call().refused(route.getStatus(), established));
        }
        boolean lite = false;
        Set<String> names = new TreeSet<>();
        for (MessageQueue queue : route.getMessageQueuesList()) {
            lite |=
                    queue.getAcceptMessageTypesCount() == 0
                            || queue.getAcceptMessageTypesList().contains(MessageType.LITE);
            if (isReadable(queue)) {
                names.add(queue.getBroker().getName());
            }
        }
        if (!lite && route.getMessageQueuesCount() > 0 && !established) {
            String types = route.getMessageQueues(0).getAcceptMessageTypesList().toString();
            return CompletableFuture.failedFuture(
                    answer.call()
                            .failure(
                                    ErrorKind.FATAL,
                                    WRONG_TYPE,
                                    "topic " + topic + " takes messages of type " + types,
                                    null));
        }
        if (names.isEmpty() && !established) {
            String text = "no readable broker has topic " + topic;
            return CompletableFuture.failedFuture(
                    answer.call().failure(ErrorKind.TRANSIENT, "NO_READABLE_BROKER", text, null));
        }
        listed = Collections.unmodifiableSet(names);
        return CompletableFuture.completedFuture(!names.isEmpty() && replace(names));
    }

    private boolean replace(Set<String> names) {
        if (names.equals(brokers)) {
            return false;
        }
        boolean more = !brokers.isEmpty() && !brokers.containsAll(names);
        brokers = Collections.unmodifiableSet(names);
        listener.accept(brokers);
        return more;
    }

    private static boolean isReadable(MessageQueue queue) {
        Permission permission = queue.getPermission();
        return queue.getBroker().getId() == 0
                && (permission == Permission.READ || permission == Permission.READ_WRITE);
    }
}
