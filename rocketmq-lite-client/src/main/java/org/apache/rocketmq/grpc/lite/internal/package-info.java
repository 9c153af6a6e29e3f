/* SPDX-License-Identifier: Apache-2.0 */

/**
 * How the clients speak {@code apache.rocketmq.v2}. Nothing here is an API; all state of a client
 * is confined to its one I/O thread, see {@link org.apache.rocketmq.grpc.lite.internal.Loop}.
 */
package org.apache.rocketmq.grpc.lite.internal;
