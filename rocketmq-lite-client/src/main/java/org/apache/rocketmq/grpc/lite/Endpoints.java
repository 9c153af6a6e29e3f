/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The proxy addresses a client talks to, in order of preference. Immutable.
 *
 * <p>Written as {@code host:port}, several separated by {@code ;} or {@code ,}. A host is a domain
 * name, an IPv4 address or an IPv6 address in brackets; the port defaults to {@value
 * #DEFAULT_PORT}; blanks around an address and a prefix {@code http://} or {@code https://} are
 * dropped. {@link #toString()} gives the normal form: lower case, every port written out, {@code ;}
 * between addresses, repeated ones dropped. Two endpoints are equal when their normal forms are.
 */
public final class Endpoints {

    /** Port of an address that names none. */
    public static final int DEFAULT_PORT = 8081;

    private static final String EXPECTED =
            " (expected: host:port, several separated by ';', a host being a domain name, an IPv4"
                    + " address or an IPv6 address in brackets, for example 127.0.0.1:8081)";
    private static final Pattern SCHEME = Pattern.compile("^https?://", Pattern.CASE_INSENSITIVE);
    private static final Pattern HOST =
            Pattern.compile(
                    "(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
                            + "(\\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\\.?");
    private static final Pattern DIGITS_AND_DOTS = Pattern.compile("[0-9.]+");
    private static final Pattern IPV4 =
            Pattern.compile("((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-f:.]{2,45}(%[a-z0-9_.-]{1,32})?");

    private final List<Address> addresses;
    private final String normalForm;

    private Endpoints(List<Address> addresses) {
        this.addresses = Collections.unmodifiableList(addresses);
        StringBuilder text = new StringBuilder();
        for (Address address : addresses) {
            text.append(text.length() == 0 ? "" : ";").append(address);
        }
        this.normalForm = text.toString();
    }

    /**
     * Reads endpoints.
     *
     * @throws IllegalArgumentException in one sentence that names the wrong part and what is
     *     allowed
     */
    public static Endpoints parse(String text) {
        Objects.requireNonNull(text, "text");
        Set<Address> addresses = new LinkedHashSet<>();
        for (String part : text.split("[;,]", -1)) {
            String trimmed = part.trim();
            if (trimmed.isEmpty()) {
                continue;
            }
            addresses.add(parseAddress(trimmed));
        }
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException(
                    "endpoints: no address in '" + text + "'" + EXPECTED);
        }
        return new Endpoints(new ArrayList<>(addresses));
    }

    /** The addresses in order of preference; never empty, unmodifiable. */
    public List<Address> addresses() {
        return addresses;
    }

    private static Address parseAddress(String part) {
        String rest = SCHEME.matcher(part).replaceFirst("").toLowerCase(Locale.ROOT);
        if (rest.endsWith("/")) {
            rest = rest.substring(0, rest.length() - 1);
        }
        String host;
        String port;
        if (rest.startsWith("[")) {
            int end = rest.indexOf(']');
            if (end < 0) {
                throw wrong(part, "the bracket of an IPv6 address is not closed");
            }
            host = rest.substring(1, end);
            port = rest.substring(end + 1);
            if (!isIpv6(host)) {
                throw wrong(part, "'" + host + "' is not an IPv6 address");
            }
            if (!port.isEmpty() && !port.startsWith(":")) {
                throw wrong(part, "only a port may follow the bracket");
            }
        } else {
            int colon = rest.indexOf(':');
            if (colon >= 0 && rest.indexOf(':', colon + 1) >= 0) {
                throw wrong(part, "more than one colon; an IPv6 address needs brackets");
            }
            host = colon < 0 ? rest : rest.substring(0, colon);
            port = colon < 0 ? "" : rest.substring(colon);
            boolean numeric = DIGITS_AND_DOTS.matcher(host).matches();
            if (!(numeric ? IPV4 : HOST).matcher(host).matches()) {
                throw wrong(part, "'" + host + "' is not a host");
            }
        }
        return new Address(host, port.isEmpty() ? DEFAULT_PORT : parsePort(part, port));
    }

    private static boolean isIpv6(String host) {
        if (!IPV6.matcher(host).matches()) {
            return false;
        }
        String plain = host.indexOf('%') < 0 ? host : host.substring(0, host.indexOf('%'));
        int gap = plain.indexOf("::");
        if (gap >= 0 && plain.indexOf("::", gap + 1) >= 0) {
            return false;
        }
        int groups = 0;
        String[] parts = plain.split(":", -1);
        for (int i = 0; i < parts.length; i++) {
            boolean last = i == parts.length - 1;
            boolean besideGap = parts[i].isEmpty();
            if (besideGap) {
                boolean allowed = gap >= 0 && (i > 0 || plain.startsWith("::"));
                if (!allowed || (last && !plain.endsWith("::"))) {
                    return false;
                }
            } else if (last && IPV4.matcher(parts[i]).matches()) {
                groups += 2;
            } else if (parts[i].length() > 4 || parts[i].indexOf('.') >= 0) {
                return false;
            } else {
                groups++;
            }
        }
        return gap >= 0 ? groups <= 7 : groups == 8;
    }

    private static int parsePort(String part, String colonPort) {
        String digits = colonPort.substring(1);
        if (!digits.matches("[0-9]{1,5}")) {
            throw wrong(part, "'" + digits + "' is not a port");
        }
        int port = Integer.parseInt(digits);
        if (port < 1 || port > 65535) {
            throw wrong(part, "port " + port + " is not in 1 to 65535");
        }
        return port;
    }

    private static IllegalArgumentException wrong(String part, String why) {
        return new IllegalArgumentException("endpoints: '" + part + "': " + why + EXPECTED);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Endpoints && normalForm.equals(((Endpoints) other).normalForm);
    }

    @Override
    public int hashCode() {
        return normalForm.hashCode();
    }

    /** The normal form; {@link #parse} of it gives an equal object. */
    @Override
    public String toString() {
        return normalForm;
    }

    /** One proxy address. Immutable. */
    public static final class Address {
        private final String host;
        private final int port;

        private Address(String host, int port) {
            this.host = host;
            this.port = port;
        }

        /** Domain name or IP address, lower case, an IPv6 address without its brackets. */
        public String host() {
            return host;
        }

        /** 1 to 65535. */
        public int port() {
            return port;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Address
                    && host.equals(((Address) other).host)
                    && port == ((Address) other).port;
        }

        @Override
        public int hashCode() {
            return 31 * host.hashCode() + port;
        }

        /** {@code host:port}, an IPv6 host in brackets. */
        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }
}
