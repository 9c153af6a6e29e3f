/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

/** A dev cluster could not do what it was asked; the message is complete without the cause. */
public final class DevClusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean portTaken;

    DevClusterException(String message) {
        this(message, null, false);
    }

    DevClusterException(String message, Throwable cause) {
        this(message, cause, false);
    }

    DevClusterException(String message, Throwable cause, boolean portTaken) {
        super(message, cause);
        this.portTaken = portTaken;
    }

    /** Whether a port that was free when it was chosen had been taken by somebody else. */
    boolean isPortTaken() {
        return portTaken;
    }
}
