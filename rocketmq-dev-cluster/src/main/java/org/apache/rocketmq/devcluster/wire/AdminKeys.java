/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.wire;

import java.util.Objects;

/** Keys of the super user of a cluster with access control. Immutable; never shows the secret. */
public final class AdminKeys {

    private final String accessKey;
    private final String secretKey;

    public AdminKeys(String accessKey, String secretKey) {
        this.accessKey = Objects.requireNonNull(accessKey, "accessKey");
        this.secretKey = Objects.requireNonNull(secretKey, "secretKey");
    }

    public String accessKey() {
        return accessKey;
    }

    public String secretKey() {
        return secretKey;
    }

    @Override
    public String toString() {
        return "AdminKeys{" + accessKey + '}';
    }
}
