/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.renewal;

import java.time.Duration;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Renews every waiting message by one invisible duration each time, up to {@code
 * rocketmq.source.renewal-max-duration}.
 */
@PublicEvolving
public final class FixedRenewalPolicy implements InvisibleDurationRenewalPolicy {

    private Duration invisibleDuration;

    @Override
    public void open(RenewalContext context) {
        invisibleDuration = context.getInvisibleDuration();
    }

    @Override
    public Duration renewalOf(WaitingMessage message) {
        return invisibleDuration;
    }
}
