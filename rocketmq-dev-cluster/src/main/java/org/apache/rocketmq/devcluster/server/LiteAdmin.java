/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.entity.ClientGroup;
import org.apache.rocketmq.remoting.protocol.admin.OffsetWrapper;
import org.apache.rocketmq.remoting.protocol.body.GetLiteGroupInfoResponseBody;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.tools.admin.DefaultMQAdminExt;

/**
 * Lite topics of a cluster that another process runs, through the admin protocol. It answers about
 * one named lite topic at a time; no request lists the lite topics of a topic or the ids of
 * wildcard subscribers (5.5.0).
 */
final class LiteAdmin {

    /** Less than what the caller waits, so that nothing keeps running behind its back. */
    private static final long OFFSETS_WITHIN_SECONDS = 80;

    /** A wildcard subscriber is reported for any lite topic, also for one without messages. */
    private static final String ANY_LITE_TOPIC = "any";

    /** All wildcard subscribers of a group are reported as one client of this id. */
    private static final String WILDCARD_CLIENT = "*";

    private final DefaultMQAdminExt admin;

    LiteAdmin(DefaultMQAdminExt admin) {
        this.admin = admin;
    }

    /** Committed and maximum offset of each, summed over the brokers; 0 and 0 if none holds it. */
    Map<String, long[]> offsets(String topic, String group, Collection<String> liteTopics)
            throws Exception {
        Collection<String> brokers = brokers(topic);
        Map<String, long[]> all = new TreeMap<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(OFFSETS_WITHIN_SECONDS);
        for (String liteTopic : liteTopics) {
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException(
                        String.format(
                                "the offsets of %d of %d lite topics of %s came within %d s",
                                all.size(), liteTopics.size(), topic, OFFSETS_WITHIN_SECONDS));
            }
            long[] sum = new long[2];
            for (String broker : brokers) {
                long max =
                        admin.getLiteTopicInfo(broker, topic, liteTopic)
                                .getTopicOffset()
                                .getMaxOffset();
                if (max > 0) {
                    sum[0] += committed(broker, topic, group, liteTopic);
                    sum[1] += max;
                }
            }
            all.put(liteTopic, sum);
        }
        return all;
    }

    /** Whether every broker of the topic knows a wildcard subscriber of the group. */
    boolean hasSubscriber(String topic, String group) throws Exception {
        for (String broker : brokers(topic)) {
            if (!admin.getLiteTopicInfo(broker, topic, ANY_LITE_TOPIC)
                    .getSubscriber()
                    .contains(new ClientGroup(WILDCARD_CLIENT, group))) {
                return false;
            }
        }
        return true;
    }

    /** The request names no topic: the broker takes the one that the group is bound to. */
    private long committed(String broker, String topic, String group, String liteTopic)
            throws Exception {
        GetLiteGroupInfoResponseBody answer = admin.getLiteGroupInfo(broker, group, liteTopic, 1);
        if (!topic.equals(answer.getParentTopic())) {
            throw new IllegalArgumentException(
                    "group "
                            + group
                            + " is bound to "
                            + answer.getParentTopic()
                            + ", not "
                            + topic);
        }
        // absent until something of the lite topic was delivered to the group
        OffsetWrapper offsets = answer.getLiteTopicOffsetWrapper();
        return offsets == null ? 0 : Math.max(0, offsets.getConsumerOffset());
    }

    /** Addresses of the masters; what a master that is down holds cannot be read elsewhere. */
    private List<String> brokers(String topic) throws Exception {
        List<String> addresses = new ArrayList<>();
        for (BrokerData broker : admin.examineTopicRouteInfo(topic).getBrokerDatas()) {
            String master = broker.getBrokerAddrs().get(MixAll.MASTER_ID);
            if (master == null) {
                throw new IllegalStateException(
                        "the master of " + broker.getBrokerName() + " is down, topic " + topic);
            }
            addresses.add(master);
        }
        return addresses;
    }
}
