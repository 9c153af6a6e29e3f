/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;

/** Writes nested maps of strings, numbers and booleans as JSON, one field per line. */
final class JsonText {

    private static final String INDENT = "  ";

    private JsonText() {}

    /** The object with a line end. */
    static String of(Map<String, ?> object) {
        StringBuilder text = new StringBuilder();
        appendObject(text, object, 1);
        return text.append('\n').toString();
    }

    private static void appendObject(StringBuilder text, Map<?, ?> object, int depth) {
        String separator = "";
        text.append('{');
        for (Map.Entry<?, ?> field : object.entrySet()) {
            text.append(separator).append('\n').append(indent(depth));
            appendString(text, field.getKey().toString());
            text.append(": ");
            appendValue(text, field.getValue(), depth);
            separator = ",";
        }
        text.append('\n').append(indent(depth - 1)).append('}');
    }

    private static void appendValue(StringBuilder text, Object value, int depth) {
        if (value instanceof Map) {
            appendObject(text, (Map<?, ?>) value, depth + 1);
        } else if (value instanceof Double) {
            text.append(String.format(Locale.ROOT, "%.3f", value));
        } else if (value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else {
            appendString(text, value.toString());
        }
    }

    private static void appendString(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    private static String indent(int depth) {
        return String.join("", Collections.nCopies(depth, INDENT));
    }
}
