/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;

/** The on-checkpoint function in its operator, with a scripted server behind it. */
final class CheckpointScenario implements AutoCloseable {

    final ScriptedAcknowledger server = new ScriptedAcknowledger();
    final Map<String, ScriptedAcknowledger> serversOfGroups = new ConcurrentHashMap<>();
    final AckCorePool pool =
            new AckCorePool(
                    config ->
                            new AckCore(
                                    config,
                                    (client, group, topic) ->
                                            serversOfGroups.getOrDefault(group, server),
                                    new AckTimerThread(),
                                    SequencerLimits.DEFAULT));
    final Configuration options =
            new Configuration().set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, Duration.ofSeconds(2));
    final Configuration job =
            new Configuration()
                    .set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(1));
    final List<String> warnings = new ArrayList<>();
    OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness;
    Function function;
    RocketMQLiteAckClient client;
    private long leaseMillis = 60_000;

    /** What is received from now on has a lease of this length. */
    CheckpointScenario withLease(Duration lease) {
        leaseMillis = lease.toMillis();
        return this;
    }

    CheckpointScenario open() throws Exception {
        return open(null);
    }

    /** Starts the function from a state; the one that ran before, if any, is left alone. */
    CheckpointScenario open(OperatorSubtaskState state) throws Exception {
        function = new Function(this);
        harness = new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(function));
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return this;
    }

    void receive(String liteTopic, int index) throws Exception {
        receive(handle(liteTopic, index));
    }

    void receive(RocketMQReceiptHandle handle) throws Exception {
        harness.processElement(new AckableMessage<>(handle.getMessageId(), handle), 0);
    }

    void receive(String liteTopic, int from, int to) throws Exception {
        for (int i = from; i <= to; i++) {
            receive(liteTopic, i);
        }
    }

    RocketMQReceiptHandle handle(String liteTopic, int index) {
        String id = liteTopic + index;
        return RocketMQReceiptHandle.builder()
                .route("127.0.0.1:8081", "", "GID")
                .message("main", liteTopic, id)
                .receipt("r-" + id, System.currentTimeMillis() + leaseMillis)
                .delivery("broker-a", 1, 1)
                .place(index, false)
                .build();
    }

    OperatorSubtaskState snapshot(long id) throws Exception {
        return harness.snapshot(id, id);
    }

    void complete(long id) throws Exception {
        harness.notifyOfCompletedCheckpoint(id);
    }

    void abort(long id) throws Exception {
        harness.getOneInputOperator().notifyCheckpointAborted(id);
    }

    /** The task looks after its affairs once. */
    void look() throws Exception {
        harness.setProcessingTime(harness.getProcessingTime() + 200);
    }

    List<String> acked() {
        return server.ackedIds();
    }

    @Override
    public void close() throws Exception {
        harness.close();
    }

    /** The function with its seams turned to the scenario. */
    static final class Function extends RocketMQAckOnCheckpointFunction<String> {
        private static final long serialVersionUID = 1L;
        private final transient CheckpointScenario scenario;

        Function(CheckpointScenario scenario) {
            super(scenario.options);
            this.scenario = scenario;
        }

        @Override
        RocketMQLiteAckClient acquireClient(AckConfig config) {
            scenario.client = RocketMQLiteAckClient.acquire(scenario.pool, config);
            return scenario.client;
        }

        @Override
        Optional<Configuration> jobConfiguration() {
            return Optional.of(scenario.job);
        }

        @Override
        void warn(String text) {
            scenario.warnings.add(text);
        }
    }
}
