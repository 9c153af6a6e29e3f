/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.util.List;
import org.apache.rocketmq.devcluster.wire.AdminKeys;

/** What stands behind a {@link DevCluster}: a child JVM of ours, or a cluster elsewhere. */
interface ClusterServer {

    String endpoints();

    String namesrvAddr();

    List<String> brokerNames();

    /** Keys of the super user; null if the cluster has no access control that this side knows. */
    AdminKeys admin();

    /** Whether somebody else runs the cluster, so that {@link #callOwn} is refused. */
    boolean isExternal();

    /** Asks the server half, bounded in time. */
    List<String> call(long seconds, String verb, String... arguments);

    /** As {@link #call}, for what only a cluster of ours can do. */
    List<String> callOwn(long seconds, String verb, String... arguments);

    /** Whether the server half runs, as far as this process can know. */
    boolean isAlive();

    void kill();

    void startAgain();

    /** Idempotent. */
    void close();
}
