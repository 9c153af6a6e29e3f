/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

/** Where the decisions about order go; called under the session's lock, so it only queues. */
interface SequencerOutlet {

    /** To the server, behind what was sent before. */
    void send(EntryGroup group);

    /** To the server, at once. */
    void send(Deferral deferral);

    /** A call has its end. */
    void finish(AckCall call, AckOutcome outcome);

    /** A call failed. */
    void fail(AckCall call, AckFailedException failure);
}
