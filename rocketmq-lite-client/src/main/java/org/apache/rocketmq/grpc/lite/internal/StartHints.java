/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.util.Locale;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * Explains why a client could not start: what was wanted, what the server said, and the command
 * that repairs it. Stateless.
 */
final class StartHints {

    private StartHints() {}

    /** The server answered, and repeating cannot help. */
    static RpcException refused(SessionRole role, Endpoints endpoints, RpcException cause) {
        return explain(role, endpoints, cause, hint(role, cause));
    }

    /**
     * No session could be opened in the time given.
     *
     * @param last the last failure; null if nothing answered at all
     */
    static RpcException neverConnected(
            SessionRole role, LiteClientConfig config, RpcException last) {
        Endpoints endpoints = config.endpoints();
        long seconds = config.startPatience().getSeconds();
        RpcException cause =
                last != null
                        ? last
                        : new RpcException(
                                ErrorKind.TRANSIENT,
                                "DEADLINE_EXCEEDED",
                                "",
                                endpoints.toString(),
                                "nothing answers at " + endpoints,
                                null);
        String hint = "No session within " + seconds + " s. " + unreachable(endpoints, cause);
        return explain(role, endpoints, cause, hint);
    }

    private static RpcException explain(
            SessionRole role, Endpoints endpoints, RpcException cause, String hint) {
        String who =
                "RocketMQ lite "
                        + role.name()
                        + " cannot start (endpoints "
                        + endpoints
                        + ", topic "
                        + role.topic()
                        + (role.group().isEmpty() ? "" : ", group " + role.group())
                        + ", code "
                        + cause.code()
                        + "): ";
        return new RpcException(
                ErrorKind.FATAL,
                cause.code(),
                cause.requestId(),
                cause.endpoint(),
                who + cause.getMessage() + ". " + hint,
                cause);
    }

    private static String hint(SessionRole role, RpcException cause) {
        String text = cause.getMessage().toLowerCase(Locale.ROOT);
        if (ServerCapabilities.isTypeRefusal(cause)) {
            return "The server takes no lite consumers. Repair: use RocketMQ 5.5.0 or later with the"
                    + " proxy in cluster mode.";
        }
        switch (cause.code()) {
            case "TOPIC_NOT_FOUND":
            case RouteCache.WRONG_TYPE:
                return "Repair: " + topicLine(role);
            case WildcardCheck.NOT_WILDCARD:
                return "Repair: " + groupLine(role);
            case "UNIMPLEMENTED":
                return "What listens there is no RocketMQ proxy, or one without lite topics"
                        + " (RocketMQ 5.5.0 or later is needed).";
            case "UNAUTHORIZED":
            case "FORBIDDEN":
            case "UNAUTHENTICATED":
            case "PERMISSION_DENIED":
                return cause.getMessage().contains("Repair: ")
                        ? "The server refuses this client."
                        : "Check the credentials and what they may access.";
            default:
                return role.group().isEmpty()
                        ? "Repair: " + topicLine(role)
                        : groupHint(role, text);
        }
    }

    private static String groupHint(SessionRole role, String text) {
        if (text.contains("expected to bind")) {
            return "A group reads one topic, and this one is bound to another. Repair: use a group of"
                    + " its own, made by "
                    + groupLine(role);
        }
        if (text.contains("group")) {
            return "The group is missing or not bound to the topic. Repair: " + groupLine(role);
        }
        return "Repair: " + topicLine(role) + " and " + groupLine(role);
    }

    private static String unreachable(Endpoints endpoints, RpcException cause) {
        String text = cause.getMessage().toLowerCase(Locale.ROOT);
        if (text.contains("no credentials")) {
            return "Repair: whatever finds the credentials must answer within 2 s.";
        }
        if (text.contains("connection refused")) {
            return "Nothing listens at "
                    + endpoints
                    + ". Repair: start the proxy (mqproxy -pm cluster) or correct"
                    + " the endpoints; they name the proxy's gRPC port, 8081 unless configured.";
        }
        if (text.contains("unable to resolve host")) {
            return "The host name is unknown. Repair: correct the endpoints.";
        }
        if (text.contains("http/2") || text.contains("not settings") || text.contains("preface")) {
            return "What listens there does not speak gRPC. Repair: correct the endpoints; they name"
                    + " the proxy's gRPC port, 8081 unless configured.";
        }
        return "Repair: check that a RocketMQ proxy with its brokers runs there and that the"
                + " endpoints name its gRPC port, 8081 unless configured.";
    }

    private static String topicLine(SessionRole role) {
        return "mqadmin updateTopic -n <namesrv> -c <cluster> -t "
                + role.topic()
                + " -a \"+message.type=LITE\"";
    }

    private static String groupLine(SessionRole role) {
        return "mqadmin updateSubGroup -n <namesrv> -c <cluster> -g "
                + role.group()
                + " -r 1000000 --attributes \"+lite.bind.topic="
                + role.topic()
                + ",+lite.sub.wildcard=true,+lite.sub.client.max.event.cnt=10000\"";
    }
}
