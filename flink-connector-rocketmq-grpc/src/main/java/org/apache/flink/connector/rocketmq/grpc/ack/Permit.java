/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.Semaphore;

/**
 * One place among what may be in flight, or among what is repeated; given back once, however often
 * that is asked for. Thread-safe; its lock guards where the place is.
 */
final class Permit {

    private Semaphore places;
    private boolean givenBack;

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

    /** No place: for calls that somebody else bounds. */
    static Permit none() {
        return new Permit(new Semaphore(0));
    }

    /**
     * Exchanges the place for one elsewhere, if there is one; never waits.
     *
     * @return false if it stays where it is
     */
    synchronized boolean moveTo(Semaphore elsewhere) {
        if (givenBack || places == elsewhere || !elsewhere.tryAcquire()) {
            return false;
        }
        places.release();
        places = elsewhere;
        return true;
    }

    synchronized void giveBack() {
        if (!givenBack) {
            givenBack = true;
            places.release();
        }
    }
}
