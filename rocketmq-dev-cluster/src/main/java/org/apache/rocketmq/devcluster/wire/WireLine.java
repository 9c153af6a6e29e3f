/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.wire;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * One line of the talk between the two JVMs: {@code #id TAB word TAB argument…}, every field
 * percent-encoded, so that neither a tab nor a line end can occur inside one.
 *
 * <p>Requests carry a verb as word; answers repeat the id and carry {@link #OK} or {@link #ERROR}.
 * The leading {@code #} tells protocol lines from anything a library might print.
 */
public final class WireLine {

    /** Word of a successful answer; the arguments are the result. */
    public static final String OK = "ok";

    /** Word of a failed answer; arguments: kind ({@link ErrorKind}), message. */
    public static final String ERROR = "error";

    /** What a failed answer means to the caller. */
    public enum ErrorKind {
        /** A port was taken: worth another start with other ports. */
        BIND,
        /** Anything else. */
        OTHER
    }

    private static final char MARK = '#';
    private static final String SEPARATOR = "\t";

    private final long id;
    private final String word;
    private final List<String> arguments;

    public WireLine(long id, String word, List<String> arguments) {
        this.id = id;
        this.word = word;
        this.arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
    }

    public static WireLine of(long id, String word, String... arguments) {
        return new WireLine(id, word, Arrays.asList(arguments));
    }

    public static boolean isWireLine(String line) {
        return !line.isEmpty() && line.charAt(0) == MARK;
    }

    /**
     * Reads one line.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static WireLine parse(String line) {
        String[] fields = line.split(SEPARATOR, -1);
        if (!isWireLine(line) || fields.length < 2) {
            throw new IllegalArgumentException("not a protocol line: " + line);
        }
        List<String> arguments = new ArrayList<>(fields.length - 2);
        for (int i = 2; i < fields.length; i++) {
            arguments.add(URLDecoder.decode(fields[i], StandardCharsets.UTF_8));
        }
        return new WireLine(
                Long.parseLong(fields[0].substring(1)),
                URLDecoder.decode(fields[1], StandardCharsets.UTF_8),
                arguments);
    }

    public String format() {
        StringBuilder line = new StringBuilder().append(MARK).append(id);
        line.append(SEPARATOR).append(URLEncoder.encode(word, StandardCharsets.UTF_8));
        for (String argument : arguments) {
            line.append(SEPARATOR).append(URLEncoder.encode(argument, StandardCharsets.UTF_8));
        }
        return line.toString();
    }

    public long id() {
        return id;
    }

    public String word() {
        return word;
    }

    public List<String> arguments() {
        return arguments;
    }

    public String argument(int index) {
        return arguments.get(index);
    }
}
