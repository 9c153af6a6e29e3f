/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.wire;

/** The requests that the child JVM understands, with their arguments and results. */
public final class Verbs {

    /**
     * Arguments: {@link ServerSettings#toArguments()}. Answered when a lite message went through.
     */
    public static final String START = "start";

    /** Arguments: name server address, proxy endpoint of a cluster that runs elsewhere. */
    public static final String ATTACH = "attach";

    /** Arguments: topic, then key and value of each attribute. */
    public static final String CREATE_TOPIC = "create-topic";

    /** Arguments: topic. */
    public static final String DELETE_TOPIC = "delete-topic";

    /** Arguments: group, then key and value of each attribute. */
    public static final String CREATE_GROUP = "create-group";

    /** Arguments: group. */
    public static final String DELETE_GROUP = "delete-group";

    /** Arguments: group, number of additions, key and value of each, names to remove. */
    public static final String UPDATE_GROUP = "update-group";

    /** Arguments: topic, group, lite topics. Result: lite topic, committed, max of each. */
    public static final String LITE_OFFSETS = "lite-offsets";

    /** Arguments: topic, group. Result: lite topic, committed, max of each. */
    public static final String ALL_LITE_OFFSETS = "all-lite-offsets";

    /** Arguments: topic, group. Result: whether the group has a subscriber on every broker. */
    public static final String HAS_SUBSCRIBER = "has-subscriber";

    /** Arguments: topic, group. Result: client ids. */
    public static final String CLIENT_IDS = "client-ids";

    /** Argument: index of the broker. */
    public static final String STOP_BROKER = "stop-broker";

    /** Argument: index of the broker. */
    public static final String START_BROKER = "start-broker";

    /** No argument. Answered when the proxy accepts connections again. */
    public static final String RESTART_PROXY = "restart-proxy";

    /** Arguments: name, secret. Makes a user, or gives an existing one this secret. */
    public static final String PUT_USER = "put-user";

    /** Argument: name. */
    public static final String DELETE_USER = "delete-user";

    /** Arguments: user, resource such as {@code Topic:orders}, actions; none takes all away. */
    public static final String GRANT = "grant";

    private Verbs() {}
}
