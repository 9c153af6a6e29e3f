/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.docs;

import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.DescribedEnum;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.description.Description;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.util.TimeUtils;

/**
 * Writes the option tables of the docs from the options themselves.
 *
 * <p>A page asks for the table of an option class between two markers; the name is what stands
 * between {@code RocketMQGrpc} and {@code Options} in the name of the class:
 *
 * <pre>{@code
 * <!-- options: source -->
 * <!-- end of options -->
 * }</pre>
 */
final class OptionTables {

    private static final Pattern CLASS_FILE = Pattern.compile("RocketMQGrpc(\\w+)Options\\.class");
    private static final Pattern MARKED =
            Pattern.compile(
                    "(<!-- options: (\\w+) -->\\n)(.*?)(<!-- end of options -->)", Pattern.DOTALL);

    private OptionTables() {}

    /** Every option class by its short name: what lies beside the source's options. */
    static Map<String, Class<?>> optionClasses() {
        Map<String, Class<?>> classes = new TreeMap<>();
        Class<?> neighbour = RocketMQGrpcSourceOptions.class;
        for (String file : filesBeside(neighbour)) {
            Matcher matcher = CLASS_FILE.matcher(file);
            if (matcher.matches()) {
                String name = neighbour.getPackageName() + "." + file.replace(".class", "");
                classes.put(matcher.group(1).toLowerCase(Locale.ROOT), loaded(name));
            }
        }
        return classes;
    }

    private static String[] filesBeside(Class<?> type) {
        try {
            File root = new File(type.getProtectionDomain().getCodeSource().getLocation().toURI());
            return new File(root, type.getPackageName().replace('.', '/')).list();
        } catch (URISyntaxException e) {
            throw new AssertionError(type.toString(), e);
        }
    }

    private static Class<?> loaded(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(name, e);
        }
    }

    /** Names of the option classes that a page has tables of. */
    static List<String> askedFor(String page) {
        List<String> names = new ArrayList<>();
        Matcher marked = MARKED.matcher(page);
        while (marked.find()) {
            names.add(marked.group(2));
        }
        return names;
    }

    /** The page with every table as the options are now. */
    static String renewed(String page) {
        return MARKED.matcher(page)
                .replaceAll(
                        found ->
                                Matcher.quoteReplacement(
                                        found.group(1) + table(found.group(2)) + found.group(4)));
    }

    private static String table(String name) {
        Map<String, Class<?>> known = optionClasses();
        if (!known.containsKey(name)) {
            throw new AssertionError("options: " + name + " (expected: one of " + known + ")");
        }
        StringBuilder table = new StringBuilder("| key | type | default | |\n|---|---|---|---|\n");
        for (Field field : known.get(name).getFields()) {
            if (field.getType() == ConfigOption.class) {
                table.append(row(field));
            }
        }
        return table.toString();
    }

    private static String row(Field field) {
        ConfigOption<?> option = optionOf(field);
        Class<?> type =
                (Class<?>) ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[0];
        return "| `"
                + option.key()
                + "` | "
                + (type.isEnum() ? "Enum" : type.getSimpleName())
                + " | "
                + defaultOf(option)
                + " | "
                + (text(option.description()) + meaningOfValues(type)).replace("|", "\\|")
                + " |\n";
    }

    private static ConfigOption<?> optionOf(Field field) {
        try {
            return (ConfigOption<?>) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(field.toString(), e);
        }
    }

    private static String defaultOf(ConfigOption<?> option) {
        Object value = option.defaultValue();
        if (value == null) {
            return "–";
        }
        if (value instanceof Duration) {
            return TimeUtils.formatWithHighestUnit((Duration) value);
        }
        if (value instanceof MemorySize) {
            return value.toString();
        }
        return value.equals("") ? "none" : "`" + value + "`";
    }

    private static String meaningOfValues(Class<?> type) {
        if (!type.isEnum()) {
            return "";
        }
        StringBuilder meaning = new StringBuilder();
        for (Object value : type.getEnumConstants()) {
            meaning.append("<br>`").append(value).append('`');
            if (value instanceof DescribedEnum) {
                Description description =
                        Description.builder()
                                .text("%s", ((DescribedEnum) value).getDescription())
                                .build();
                meaning.append(": ").append(text(description));
            }
        }
        return meaning.toString();
    }

    private static String text(Description description) {
        return new HtmlFormatter().format(description);
    }
}
