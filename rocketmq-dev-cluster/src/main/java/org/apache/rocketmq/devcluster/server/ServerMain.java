/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.devcluster.wire.WireLine;

/**
 * The child JVM: reads requests from standard input, answers on standard output, ends at once when
 * its input ends, which is also what a killed parent looks like.
 *
 * <p>The main thread only reads, so that the end of the input is seen during a long command; one
 * other thread, {@code rocketmq-dev-commands}, runs the commands one after the other.
 */
public final class ServerMain {

    private static final int MAX_WAITING_COMMANDS = 16;

    private final ServerCommands commands = new ServerCommands();
    private final PrintStream answers;

    private ServerMain(PrintStream answers) {
        this.answers = answers;
    }

    public static void main(String[] args) {
        PrintStream answers = stream(FileDescriptor.out);
        // what a library prints must not get between the answers
        System.setOut(stream(FileDescriptor.err));
        ServerMain main = new ServerMain(answers);
        try {
            main.run();
        } catch (IOException e) {
            ServerLog.error("reading requests failed", e);
        } finally {
            main.commands.deleteTemporaryData();
            Runtime.getRuntime().halt(0);
        }
    }

    private void run() throws IOException {
        ExecutorService worker =
                new ThreadPoolExecutor(
                        1,
                        1,
                        0,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MAX_WAITING_COMMANDS),
                        task -> new Thread(task, "rocketmq-dev-commands"));
        BufferedReader requests =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            WireLine request = WireLine.parse(line);
            try {
                worker.execute(() -> answer(commands.execute(request)));
            } catch (RejectedExecutionException e) {
                answer(ServerCommands.failure(request, e));
            }
        }
    }

    private void answer(WireLine answer) {
        answers.println(answer.format());
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
