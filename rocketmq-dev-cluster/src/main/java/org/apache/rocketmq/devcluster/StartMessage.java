/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import org.apache.rocketmq.devcluster.wire.ServerSettings;

/** What a person needs to know of a cluster that just started. */
final class StartMessage {

    private StartMessage() {}

    /**
     * Addresses, what was created, and the admin lines that create the same for another topic.
     *
     * @param topic may be null
     * @param group may be null
     */
    static String of(DevCluster cluster, String topic, String group) {
        StringBuilder text = new StringBuilder();
        line(text, "endpoints  " + cluster.endpoints());
        line(text, "namesrv    " + cluster.namesrvAddr());
        line(text, "brokers    " + String.join(" ", cluster.brokerNames()));
        if (topic != null) {
            line(text, "topic      " + topic);
        }
        if (group != null) {
            line(text, "group      " + group);
        }
        String where = " -n " + cluster.namesrvAddr() + " -c " + ServerSettings.CLUSTER_NAME;
        String shownTopic = topic == null ? "LiteMainTopic" : topic;
        String shownGroup = group == null ? "GID-lite" : group;
        line(text, "");
        line(text, "What a topic and a group for the connector need:");
        line(
                text,
                "  mqadmin updateTopic   "
                        + where
                        + " -t "
                        + shownTopic
                        + " -a \"+message.type=LITE\"");
        line(
                text,
                "  mqadmin updateSubGroup"
                        + where
                        + " -g "
                        + shownGroup
                        + " -r 1000000 --attributes \"+lite.bind.topic="
                        + shownTopic
                        + ",+lite.sub.wildcard=true,+lite.sub.client.max.event.cnt=10000\"");
        line(text, "");
        line(text, "Ctrl-C ends it.");
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append(System.lineSeparator());
    }
}
