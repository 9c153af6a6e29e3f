/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.util.ExceptionUtils;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** Everything that is logged in this JVM at DEBUG, with stack traces, until it is closed. */
public final class LogCapture implements AutoCloseable {

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final LoggerContext context = LoggerContext.getContext(false);
    private final Appender appender = new Appender();
    private final Level before;

    private LogCapture() {
        Configuration configuration = context.getConfiguration();
        LoggerConfig root = configuration.getLoggerConfig(LogManager.ROOT_LOGGER_NAME);
        before = root.getLevel();
        appender.start();
        root.addAppender(appender, Level.DEBUG, null);
        root.setLevel(Level.DEBUG);
        context.updateLoggers();
    }

    /** Captures from now on. */
    public static LogCapture begin() {
        return new LogCapture();
    }

    /** The lines so far. */
    public List<String> lines() {
        synchronized (lines) {
            return new ArrayList<>(lines);
        }
    }

    @Override
    public void close() {
        LoggerConfig root = context.getConfiguration().getLoggerConfig(LogManager.ROOT_LOGGER_NAME);
        root.setLevel(before);
        root.removeAppender(appender.getName());
        context.updateLoggers();
        appender.stop();
    }

    private final class Appender extends AbstractAppender {
        private Appender() {
            super("capture", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            String trace =
                    event.getThrown() == null
                            ? ""
                            : ExceptionUtils.stringifyException(event.getThrown());
            lines.add(
                    event.getLoggerName() + ' ' + event.getMessage().getFormattedMessage() + trace);
        }
    }
}
