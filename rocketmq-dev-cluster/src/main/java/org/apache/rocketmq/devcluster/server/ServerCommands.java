/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.rocketmq.devcluster.wire.DirectoryTree;
import org.apache.rocketmq.devcluster.wire.ServerSettings;
import org.apache.rocketmq.devcluster.wire.Verbs;
import org.apache.rocketmq.devcluster.wire.WireLine;
import org.apache.rocketmq.devcluster.wire.WireLine.ErrorKind;

/** Turns one request into calls of the cluster and their outcome into one answer. One thread. */
final class ServerCommands {

    private volatile Path temporaryData;
    private RunningCluster cluster;
    private ClusterAdmin admin;

    WireLine execute(WireLine request) {
        try {
            return new WireLine(request.id(), WireLine.OK, dispatch(request));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failure(request, e);
        } catch (Exception | LinkageError e) {
            ServerLog.error(request.word() + " failed", e);
            return failure(request, e);
        }
    }

    /** Called when the parent is gone: the files of a temporary cluster go with it. */
    void deleteTemporaryData() {
        Path data = temporaryData;
        if (data == null) {
            return;
        }
        try {
            // the broker still runs
            DirectoryTree.deleteUnderWriters(data);
        } catch (IOException e) {
            ServerLog.error("deleting " + data + " failed", e);
        }
    }

    private List<String> dispatch(WireLine request) throws Exception {
        List<String> arguments = request.arguments();
        switch (request.word()) {
            case Verbs.START:
                start(ServerSettings.fromArguments(arguments));
                return Collections.emptyList();
            case Verbs.ATTACH:
                admin = ClusterAdmin.connect(request.argument(0), request.argument(1));
                return admin.brokerNames();
            case Verbs.CREATE_TOPIC:
                admin().createTopic(request.argument(0), pairs(arguments, 1, arguments.size()));
                return Collections.emptyList();
            case Verbs.DELETE_TOPIC:
                admin().deleteTopic(request.argument(0));
                return Collections.emptyList();
            case Verbs.CREATE_GROUP:
                admin().groups().create(request.argument(0), pairs(arguments, 1, arguments.size()));
                return Collections.emptyList();
            case Verbs.DELETE_GROUP:
                admin().groups().delete(request.argument(0));
                return Collections.emptyList();
            case Verbs.UPDATE_GROUP:
                updateGroup(arguments);
                return Collections.emptyList();
            case Verbs.LITE_OFFSETS:
                return triples(
                        liteOffsets(
                                request.argument(0),
                                request.argument(1),
                                arguments.subList(2, arguments.size())));
            case Verbs.HAS_SUBSCRIBER:
                return Collections.singletonList(
                        Boolean.toString(hasSubscriber(request.argument(0), request.argument(1))));
            default:
                return dispatchToOwnCluster(request);
        }
    }

    private List<String> dispatchToOwnCluster(WireLine request) throws Exception {
        if (cluster == null) {
            throw new IllegalStateException(
                    request.word() + " works on a cluster of this process only");
        }
        switch (request.word()) {
            case Verbs.ALL_LITE_OFFSETS:
                return triples(cluster.liteOffsets(request.argument(0), request.argument(1)));
            case Verbs.CLIENT_IDS:
                return cluster.clientIds(request.argument(0), request.argument(1));
            case Verbs.PUT_USER:
                cluster.users().put(request.argument(0), request.argument(1));
                return Collections.emptyList();
            case Verbs.DELETE_USER:
                cluster.users().delete(request.argument(0));
                return Collections.emptyList();
            case Verbs.GRANT:
                cluster.users()
                        .grant(
                                request.argument(0),
                                request.argument(1),
                                request.arguments().subList(2, request.arguments().size()));
                return Collections.emptyList();
            case Verbs.STOP_BROKER:
                cluster.stopBroker(Integer.parseInt(request.argument(0)));
                return Collections.emptyList();
            case Verbs.START_BROKER:
                cluster.startBroker(Integer.parseInt(request.argument(0)));
                return Collections.emptyList();
            case Verbs.RESTART_PROXY:
                cluster.restartProxy();
                return Collections.emptyList();
            default:
                throw new IllegalArgumentException("unknown request " + request.word());
        }
    }

    private void start(ServerSettings settings) throws Exception {
        if (settings.deleteDataWithParent()) {
            temporaryData = settings.dataDir();
        }
        cluster = RunningCluster.start(settings);
        admin = cluster.admin();
    }

    private void updateGroup(List<String> arguments) throws Exception {
        int endOfAdditions = 2 + 2 * Integer.parseInt(arguments.get(1));
        admin().groups()
                .update(
                        arguments.get(0),
                        pairs(arguments, 2, endOfAdditions),
                        arguments.subList(endOfAdditions, arguments.size()));
    }

    private Map<String, long[]> liteOffsets(String topic, String group, List<String> liteTopics)
            throws Exception {
        return cluster == null
                ? admin().lite().offsets(topic, group, liteTopics)
                : cluster.liteOffsets(topic, group, liteTopics);
    }

    private boolean hasSubscriber(String topic, String group) throws Exception {
        return cluster == null
                ? admin().lite().hasSubscriber(topic, group)
                : cluster.hasSubscriber(topic, group);
    }

    private ClusterAdmin admin() {
        if (admin == null) {
            throw new IllegalStateException("no cluster was started");
        }
        return admin;
    }

    static WireLine failure(WireLine request, Throwable failure) {
        List<String> messages = new ArrayList<>();
        ErrorKind kind = ErrorKind.OTHER;
        for (Throwable t = failure; t != null && messages.size() < 5; t = t.getCause()) {
            if (t instanceof BindException || isBindFailure(t.getMessage())) {
                kind = ErrorKind.BIND;
            }
            String message = t.getMessage() == null ? "" : ": " + t.getMessage();
            messages.add(t.getClass().getSimpleName() + message);
        }
        return WireLine.of(
                request.id(), WireLine.ERROR, kind.name(), String.join("; caused by ", messages));
    }

    /** Some listeners of the server hide the exception and keep its words. */
    private static boolean isBindFailure(String message) {
        return message != null
                && (message.contains("Failed to bind")
                        || message.contains("Address already in use"));
    }

    private static List<String> triples(Map<String, long[]> offsets) {
        List<String> triples = new ArrayList<>(3 * offsets.size());
        offsets.forEach(
                (liteTopic, committedAndMax) -> {
                    triples.add(liteTopic);
                    triples.add(Long.toString(committedAndMax[0]));
                    triples.add(Long.toString(committedAndMax[1]));
                });
        return triples;
    }

    private static Map<String, String> pairs(List<String> arguments, int from, int to) {
        Map<String, String> pairs = new TreeMap<>();
        for (int i = from; i + 1 < to; i += 2) {
            pairs.put(arguments.get(i), arguments.get(i + 1));
        }
        return pairs;
    }
}
