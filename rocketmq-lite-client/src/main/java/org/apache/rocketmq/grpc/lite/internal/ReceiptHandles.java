/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

/**
 * Everything this client knows about the inside of a receipt handle.
 *
 * <p>Server 5.5.0 writes nine fields separated by blanks, the second being the broker's time of the
 * delivery in milliseconds; all messages of one delivery share it, and a later delivery has a later
 * one. A handle that looks different is still good for acks and deferrals; deliveries are then
 * numbered locally. Used on one thread.
 */
final class ReceiptHandles {

    private static final int FIELDS = 9;
    private static final int POP_TIME = 1;
    private static final int INVISIBLE_TIME = 2;

    private long lastLocal;

    /** Pop time in the handle; 0 or less if there is none. */
    static long popTime(String handle) {
        return number(handle, POP_TIME);
    }

    /**
     * How long the message stays invisible in all, counted from its delivery, in milliseconds; 0 if
     * the handle does not tell.
     */
    static long invisibleMillis(String handle) {
        return number(handle, INVISIBLE_TIME);
    }

    private static long number(String handle, int field) {
        String[] fields = handle.split(" ", FIELDS + 1);
        if (fields.length != FIELDS) {
            return 0;
        }
        String digits = fields[field];
        boolean number = !digits.isEmpty() && digits.length() <= 18;
        for (int i = 0; number && i < digits.length(); i++) {
            number = digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
        }
        return number ? Long.parseLong(digits) : 0;
    }

    /**
     * Number for deliveries whose handles tell nothing: larger than every one given before, also by
     * an earlier client on a machine whose clock runs forward.
     */
    long nextLocal(long currentTimeMillis) {
        lastLocal = Math.max(lastLocal + 1, currentTimeMillis);
        return lastLocal;
    }

    /**
     * The handle to go on with after a change of the invisible duration. Server 5.5.0 answers a
     * change of a message that is acked already with OK and a handle of time 0, and a server may
     * leave the handle out: the old one is better than either.
     */
    static String newest(String before, String answered) {
        boolean useless = answered.isBlank() || (popTime(before) > 0 && popTime(answered) <= 0);
        return useless ? before : answered;
    }
}
