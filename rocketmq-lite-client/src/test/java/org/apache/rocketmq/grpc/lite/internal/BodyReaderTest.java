/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import apache.rocketmq.v2.Digest;
import apache.rocketmq.v2.DigestType;
import apache.rocketmq.v2.Encoding;
import apache.rocketmq.v2.SystemProperties;
import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies as they come and as they are handed on. */
class BodyReaderTest {

    private static final byte[] CHECK = "123456789".getBytes(StandardCharsets.US_ASCII);

    @ParameterizedTest
    @CsvSource({
        "CRC32, CBF43926, true",
        "CRC32, cbf43926, true",
        "CRC32, 00cbf43926, true",
        "CRC32, CBF43927, false",
        "MD5, 25F9E794323B453885F5181F1B624D0B, true",
        "MD5, 25f9e794323b453885f5181f1b624d0b, true",
        "MD5, 25F9E794323B453885F5181F1B624D0C, false",
        "SHA1, F7C3BC1D808E04732ADF679965CCC34CA7AE3441, true",
        "SHA1, F7C3BC1D808E04732ADF679965CCC34CA7AE3442, false",
        "MD5, '', false",
    })
    void theDigestDecidesWhetherABodyIsIntact(DigestType type, String checksum, boolean intact) {
        BodyReader body =
                BodyReader.read(
                        ByteString.copyFrom(CHECK),
                        SystemProperties.newBuilder()
                                .setBodyDigest(
                                        Digest.newBuilder().setType(type).setChecksum(checksum))
                                .build());
        assertThat(body.intact()).isEqualTo(intact);
        assertThat(body.body()).isEqualTo(CHECK);
    }

    @Test
    void aBodyWithoutADigestIsTakenAsItIs() {
        BodyReader body =
                BodyReader.read(ByteString.copyFrom(CHECK), SystemProperties.getDefaultInstance());
        assertThat(body.intact()).isTrue();
        assertThat(body.body()).isEqualTo(CHECK);
    }

    @Test
    void anEmptyBodyIsABody() {
        BodyReader body = BodyReader.read(ByteString.EMPTY, SystemProperties.getDefaultInstance());
        assertThat(body.intact()).isTrue();
        assertThat(body.body()).isEmpty();
    }

    @Test
    void packedBodiesAreUnpackedAfterTheirDigestWasChecked() throws IOException {
        byte[] packed = gzip(CHECK);
        BodyReader body = BodyReader.read(ByteString.copyFrom(packed), packed("00000000"));
        assertThat(body.body()).isEqualTo(CHECK);
        assertThat(body.intact()).isFalse();
        assertThat(BodyReader.read(ByteString.copyFrom(packed), packed(null)).intact()).isTrue();
    }

    @Test
    void aZlibStreamIsUnpackedToo() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zlib = new DeflaterOutputStream(out)) {
            zlib.write(CHECK);
        }
        BodyReader body = BodyReader.read(ByteString.copyFrom(out.toByteArray()), packed(null));
        assertThat(body.body()).isEqualTo(CHECK);
        assertThat(body.intact()).isTrue();
    }

    // beside case 49
    @Test
    void whatCannotBeUnpackedIsHandedOnAsItCameAndIsNotIntact() throws IOException {
        byte[] cut = ByteString.copyFrom(gzip(CHECK)).substring(0, 14).toByteArray();
        BodyReader body = BodyReader.read(ByteString.copyFrom(cut), packed(null));
        assertThat(body.intact()).isFalse();
        assertThat(body.body()).isEqualTo(cut);
    }

    // beside case 49
    @Test
    void aBodyThatUnpacksToTooMuchIsNotIntact() throws IOException {
        byte[] bomb = gzip(new byte[BodyReader.MAX_UNPACKED_BYTES + 1]);
        BodyReader body = BodyReader.read(ByteString.copyFrom(bomb), packed(null));
        assertThat(body.intact()).isFalse();
        assertThat(body.body()).isEqualTo(bomb);
    }

    private static SystemProperties packed(String crc32) {
        SystemProperties.Builder properties =
                SystemProperties.newBuilder().setBodyEncoding(Encoding.GZIP);
        if (crc32 != null) {
            properties.setBodyDigest(
                    Digest.newBuilder().setType(DigestType.CRC32).setChecksum(crc32));
        }
        return properties.build();
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        }
        return out.toByteArray();
    }
}
