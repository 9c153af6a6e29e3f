/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.renewal;

import java.time.Duration;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.UserCodeClassLoader;

/** What a renewal policy gets to know of the reader it decides for. */
@PublicEvolving
public interface RenewalContext {

    /** {@code rocketmq.source.invisible-duration}: what a message has when it arrives. */
    Duration getInvisibleDuration();

    /** {@code rocketmq.source.renewal-ahead-time}: what is left when the policy is asked. */
    Duration getRenewalAheadTime();

    /** For metrics of the policy's own. */
    MetricGroup getMetricGroup();

    /** For resources of the policy's own. */
    UserCodeClassLoader getUserCodeClassLoader();
}
