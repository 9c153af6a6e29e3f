/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Digest;
import apache.rocketmq.v2.Encoding;
import apache.rocketmq.v2.SystemProperties;
import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

/** Checks a message body against its digest and unpacks it. Immutable once made. */
final class BodyReader {

    /** A body that unpacks to more is taken for broken. */
    static final int MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

    private static final int CHUNK = 8192;

    private final byte[] body;
    private final boolean intact;

    private BodyReader(byte[] body, boolean intact) {
        this.body = body;
        this.intact = intact;
    }

    /** Reads the body of a message; one that cannot be unpacked is left as it came. */
    static BodyReader read(ByteString body, SystemProperties properties) {
        byte[] raw = body.toByteArray();
        boolean intact = !properties.hasBodyDigest() || matches(raw, properties.getBodyDigest());
        if (properties.getBodyEncoding() != Encoding.GZIP) {
            return new BodyReader(raw, intact);
        }
        try (InputStream packed = unpacking(body, raw)) {
            byte[] unpacked = readBounded(packed);
            return new BodyReader(unpacked, intact);
        } catch (IOException e) {
            return new BodyReader(raw, false);
        }
    }

    /** The body, unpacked. */
    byte[] body() {
        return body;
    }

    /** Whether it matches its digest and could be unpacked. */
    boolean intact() {
        return intact;
    }

    /**
     * What the protocol calls GZIP may be a zlib stream: the server itself compresses with that.
     */
    private static InputStream unpacking(ByteString body, byte[] raw) throws IOException {
        boolean gzip = raw.length > 1 && raw[0] == (byte) 0x1f && raw[1] == (byte) 0x8b;
        return gzip
                ? new GZIPInputStream(body.newInput())
                : new InflaterInputStream(body.newInput());
    }

    private static byte[] readBounded(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK];
        int read = in.read(chunk);
        while (read >= 0) {
            if (out.size() + read > MAX_UNPACKED_BYTES) {
                throw new IOException("more than " + MAX_UNPACKED_BYTES + " bytes");
            }
            out.write(chunk, 0, read);
            read = in.read(chunk);
        }
        return out.toByteArray();
    }

    private static boolean matches(byte[] raw, Digest digest) {
        switch (digest.getType()) {
            case CRC32:
                CRC32 crc = new CRC32();
                crc.update(raw);
                return sameHex(Long.toHexString(crc.getValue()), digest.getChecksum());
            case MD5:
                return sameHex(hash("MD5", raw), digest.getChecksum());
            case SHA1:
                return sameHex(hash("SHA-1", raw), digest.getChecksum());
            default:
                return true;
        }
    }

    private static boolean sameHex(String computed, String given) {
        return stripZeros(computed).equalsIgnoreCase(stripZeros(given));
    }

    private static String stripZeros(String hex) {
        int start = 0;
        while (start < hex.length() && hex.charAt(start) == '0') {
            start++;
        }
        return hex.substring(start);
    }

    private static String hash(String algorithm, byte[] raw) {
        try {
            StringBuilder hex = new StringBuilder();
            for (byte b : MessageDigest.getInstance(algorithm).digest(raw)) {
                hex.append(Character.forDigit((b >> 4) & 0xf, 16));
                hex.append(Character.forDigit(b & 0xf, 16));
            }
            return hex.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }
}
