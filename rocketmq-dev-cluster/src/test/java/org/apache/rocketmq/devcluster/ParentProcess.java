/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

/** A JVM that uses a dev cluster with none of the server's jars, and waits to be killed. */
final class ParentProcess {

    private ParentProcess() {}

    public static void main(String[] args) throws Exception {
        DevCluster cluster = DevCluster.builder().start();
        cluster.createLiteTopic("ParentTopic");
        long child = ProcessHandle.current().children().findFirst().orElseThrow().pid();
        System.out.println("child " + child);
        Thread.currentThread().join();
    }
}
