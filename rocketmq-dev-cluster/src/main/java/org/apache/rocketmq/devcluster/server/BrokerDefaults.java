/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Broker properties of a development cluster, where they differ from the server's defaults. */
final class BrokerDefaults {

    static final Map<String, String> PROPERTIES = Collections.unmodifiableMap(create());

    private BrokerDefaults() {}

    private static Map<String, String> create() {
        Map<String, String> properties = new TreeMap<>();
        // lite topics need both
        properties.put("enableLmq", "true");
        properties.put("enableMultiDispatch", "true");
        // small files: a cluster takes a few hundred KB of real disk
        properties.put("mappedFileSizeCommitLog", Integer.toString(16 * 1024 * 1024));
        properties.put("mappedFileSizeConsumeQueue", "60000");
        properties.put("mappedFileSizeTimerLog", Integer.toString(1024 * 1024));
        properties.put("maxHashSlotNum", "5000");
        properties.put("maxIndexNum", "10000");
        // a kill loses the offsets that were committed since the last flush (default 5 s)
        properties.put("flushConsumerOffsetInterval", "1000");
        // a nearly full developer disk is no reason to refuse messages
        properties.put("diskMaxUsedSpaceRatio", "95");
        // no "broker busy" on a machine that builds beside the tests (default 200 ms and 1 s)
        properties.put("waitTimeMillsInSendQueue", "5000");
        properties.put("osPageCacheBusyTimeOutMills", "5000");
        return properties;
    }
}
