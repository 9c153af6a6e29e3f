/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;

/** Finds what the server would refuse in a message, before it is sent. Stateless. */
final class OutgoingCheck {

    /** Largest message that a server with default settings takes, body and all. */
    static final int MAX_BYTES = 4 * 1024 * 1024;

    /**
     * Kept for what the server adds: topic, ids, times. Of a body alone, 5.5.0 takes 4 MiB − 500
     * bytes and answers 4 MiB − 300 bytes with an INTERNAL_SERVER_ERROR.
     */
    static final int OVERHEAD_BYTES = 1024;

    /** Most user properties that a server with default settings takes. */
    static final int MAX_PROPERTIES = 128;

    private static final Pattern LITE_TOPIC = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private OutgoingCheck() {}

    /**
     * @return what is wrong, beginning with the field's name; null if nothing is. Never holds a
     *     value of the payload
     */
    static String problemOf(LiteOutgoingMessage message) {
        if (!LITE_TOPIC.matcher(message.liteTopic()).matches()) {
            return "liteTopic: '"
                    + message.liteTopic()
                    + "' (expected: 1 to 64 of letters, digits, '-' and '_')";
        }
        int size = message.body().length;
        long room = MAX_BYTES - OVERHEAD_BYTES - sizeOfTheRest(message);
        if (size == 0 || size > room) {
            return "body: " + size + " bytes (expected: 1 to " + Math.max(room, 0) + " bytes)";
        }
        String tag = message.tag();
        if (tag != null && (isBad(tag) || tag.indexOf('|') >= 0)) {
            return "tag: '" + tag + "' (expected: not blank, no '|', no control character)";
        }
        for (String key : message.keys()) {
            if (isBad(key)) {
                return "keys: '" + key + "' (expected: not blank, no control character)";
            }
        }
        return problemOfProperties(message.properties());
    }

    private static String problemOfProperties(Map<String, String> properties) {
        if (properties.size() > MAX_PROPERTIES) {
            return "properties: " + properties.size() + " (expected: at most 128)";
        }
        for (Map.Entry<String, String> property : properties.entrySet()) {
            if (isBad(property.getKey())) {
                return "properties: name '"
                        + property.getKey()
                        + "' (expected: not blank, no control character)";
            }
            if (hasControl(property.getValue())) {
                return "properties: value of '"
                        + property.getKey()
                        + "' (expected: no control character)";
            }
        }
        return null;
    }

    private static long sizeOfTheRest(LiteOutgoingMessage message) {
        long size = message.tag() == null ? 0 : utf8Size(message.tag());
        for (String key : message.keys()) {
            size += utf8Size(key);
        }
        for (Map.Entry<String, String> property : message.properties().entrySet()) {
            size += utf8Size(property.getKey()) + utf8Size(property.getValue());
        }
        return size;
    }

    /** With a byte for the separator. */
    private static long utf8Size(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length + 1L;
    }

    private static boolean isBad(String text) {
        return text.isBlank() || hasControl(text);
    }

    private static boolean hasControl(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }
}
