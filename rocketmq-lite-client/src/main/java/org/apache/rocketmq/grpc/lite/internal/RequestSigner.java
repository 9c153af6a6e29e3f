/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import io.grpc.Metadata;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.rocketmq.grpc.lite.Credentials;

/** The headers that prove who sends a request: HMAC-SHA1 over the date of it. Stateless. */
final class RequestSigner {

    private static final String HMAC = "HmacSHA1";
    private static final String SCHEME = "MQv2-HMAC-SHA1";

    private static final Metadata.Key<String> AUTHORIZATION = key("authorization");
    private static final Metadata.Key<String> TOKEN = key("x-mq-session-token");

    private RequestSigner() {}

    /**
     * Signs one request.
     *
     * @param date as the request carries it
     */
    static Metadata sign(Credentials credentials, String date) {
        Metadata headers = new Metadata();
        headers.put(
                AUTHORIZATION,
                SCHEME
                        + " Credential="
                        + credentials.accessKey()
                        + ", SignedHeaders="
                        + RequestHeaders.DATE_HEADER
                        + ", Signature="
                        + signature(credentials.secretKey(), date));
        if (!credentials.securityToken().isEmpty()) {
            headers.put(TOKEN, credentials.securityToken());
        }
        return headers;
    }

    private static String signature(String secret, String date) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC));
            StringBuilder hex = new StringBuilder();
            for (byte b : mac.doFinal(date.getBytes(StandardCharsets.UTF_8))) {
                hex.append(String.format(Locale.ROOT, "%02X", b));
            }
            return hex.toString();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + HMAC, e);
        }
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
