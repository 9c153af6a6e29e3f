/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.util.Objects;

/**
 * What a client proves its identity with. Immutable; equal by value; shows nothing of itself in
 * {@link #toString}.
 */
public final class Credentials {

    private final String accessKey;
    private final String secretKey;
    private final String securityToken;

    private Credentials(String accessKey, String secretKey, String securityToken) {
        this.accessKey = accessKey;
        this.secretKey = secretKey;
        this.securityToken = securityToken;
    }

    /**
     * A user name and its secret.
     *
     * @throws IllegalArgumentException naming the part and what is allowed, without its value
     */
    public static Credentials of(String accessKey, String secretKey) {
        return of(accessKey, secretKey, "");
    }

    /**
     * A user name, its secret, and the token that temporary credentials have beside them.
     *
     * @param securityToken empty for none
     * @throws IllegalArgumentException naming the part and what is allowed, without its value
     */
    public static Credentials of(String accessKey, String secretKey, String securityToken) {
        Objects.requireNonNull(accessKey, "accessKey");
        Objects.requireNonNull(secretKey, "secretKey");
        Objects.requireNonNull(securityToken, "securityToken");
        if (accessKey.isEmpty() || !accessKey.chars().allMatch(Credentials::fitsAccessKey)) {
            throw new IllegalArgumentException(
                    "access key: "
                            + described(accessKey)
                            + " (expected: printable ASCII without blanks, '/' and ',')");
        }
        if (secretKey.isEmpty()) {
            throw new IllegalArgumentException("secret key: empty (expected: a value)");
        }
        if (!securityToken.chars().allMatch(Credentials::isPrintable)) {
            throw new IllegalArgumentException(
                    "security token: "
                            + described(securityToken)
                            + " (expected: printable ASCII without blanks)");
        }
        return new Credentials(accessKey, secretKey, securityToken);
    }

    /** User name; never empty. */
    public String accessKey() {
        return accessKey;
    }

    /** Secret; never empty. Not for logs and messages. */
    public String secretKey() {
        return secretKey;
    }

    /** Token; empty for none. Not for logs and messages. */
    public String securityToken() {
        return securityToken;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Credentials)) {
            return false;
        }
        Credentials that = (Credentials) other;
        return accessKey.equals(that.accessKey)
                && secretKey.equals(that.secretKey)
                && securityToken.equals(that.securityToken);
    }

    @Override
    public int hashCode() {
        return Objects.hash(accessKey, secretKey, securityToken);
    }

    @Override
    public String toString() {
        return "Credentials{hidden}";
    }

    /** The header that carries it separates by these. */
    private static boolean fitsAccessKey(int c) {
        return isPrintable(c) && c != '/' && c != ',';
    }

    private static boolean isPrintable(int c) {
        return c > ' ' && c < 0x7f;
    }

    private static String described(String value) {
        return value.isEmpty() ? "empty" : value.length() + " characters with a wrong one";
    }
}
