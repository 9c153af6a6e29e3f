/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.util.Map;
import java.util.Properties;
import org.apache.rocketmq.common.MixAll;

/**
 * Sets named properties on RocketMQ's configuration beans and, unlike the server's own reader,
 * refuses names that no bean has and values that did not fit.
 */
final class ConfigBeans {

    private ConfigBeans() {}

    static void apply(String what, Map<String, String> values, Object... beans) {
        Properties wanted = new Properties();
        wanted.putAll(values);
        Properties actual = new Properties();
        for (Object bean : beans) {
            MixAll.properties2Object(wanted, bean);
            actual.putAll(MixAll.object2Properties(bean));
        }
        values.forEach(
                (name, value) -> {
                    String now = actual.getProperty(name);
                    if (now == null) {
                        throw new IllegalArgumentException(what + " has no property " + name);
                    }
                    if (!now.equalsIgnoreCase(value)) {
                        throw new IllegalArgumentException(
                                what + " property " + name + " does not accept " + value);
                    }
                });
    }
}
