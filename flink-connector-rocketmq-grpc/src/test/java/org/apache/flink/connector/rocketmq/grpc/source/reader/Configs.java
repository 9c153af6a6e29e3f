/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;

/** Source configurations for tests. */
final class Configs {

    static final String ENDPOINTS = "127.0.0.1:8081";

    private Configs() {}

    static Configuration options() {
        return new Configuration()
                .set(RocketMQGrpcClientOptions.ENDPOINTS, ENDPOINTS)
                .set(RocketMQGrpcSourceOptions.MAIN_TOPIC, Messages.TOPIC)
                .set(RocketMQGrpcSourceOptions.CONSUMER_GROUP, Messages.GROUP);
    }

    static SourceConfig config() {
        return SourceConfig.from(options());
    }

    static SourceConfig config(int maxMessageNum, int fetchConcurrency) {
        return SourceConfig.from(
                options()
                        .set(RocketMQGrpcSourceOptions.MAX_MESSAGE_NUM, maxMessageNum)
                        .set(RocketMQGrpcSourceOptions.FETCH_CONCURRENCY, fetchConcurrency));
    }
}
