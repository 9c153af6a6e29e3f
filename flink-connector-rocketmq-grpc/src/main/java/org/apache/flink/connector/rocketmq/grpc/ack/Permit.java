/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** One place among what may be in flight; given back once, however often that is asked for. */
final class Permit {

    private final Semaphore places;
    private final AtomicBoolean givenBack = new AtomicBoolean();

    private Permit(Semaphore places) {
        this.places = places;
    }

    /** Takes a place and waits for one if there is none. */
    static Permit take(Semaphore places) throws InterruptedException {
        places.acquire();
        return new Permit(places);
    }

    /** Takes a place without waiting; if there is none, one beyond the bound. */
    static Permit takeWithoutWaiting(Semaphore places) {
        return new Permit(places.tryAcquire() ? places : new Semaphore(0));
    }

    void giveBack() {
        if (givenBack.compareAndSet(false, true)) {
            places.release();
        }
    }
}
