/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken for endpoints, and what it becomes. */
class EndpointsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127.0.0.1:8081               | 127.0.0.1:8081",
                "127.0.0.1                    | 127.0.0.1:8081",
                "proxy.example.com            | proxy.example.com:8081",
                "Proxy.Example.COM:80         | proxy.example.com:80",
                "proxy-1:65535                | proxy-1:65535",
                "a_b:1                        | a_b:1",
                "' host:1 ; other:2 '         | host:1;other:2",
                "host:1,other:2               | host:1;other:2",
                "host:1;host:1;HOST:1         | host:1",
                "host;host:8081               | host:8081",
                ";;host:1;;                   | host:1",
                "http://host:1                | host:1",
                "https://host                 | host:8081",
                "HTTPS://host:1/              | host:1",
                "http://a:1;https://b:2       | a:1;b:2",
                "[::1]:9000                   | [::1]:9000",
                "[::1]                        | [::1]:8081",
                "[::]                         | [::]:8081",
                "[FE80::1%eth0]:1             | [fe80::1%eth0]:1",
                "[2001:db8:0:0:0:0:0:1]:1     | [2001:db8:0:0:0:0:0:1]:1",
                "[::ffff:10.0.0.1]:1          | [::ffff:10.0.0.1]:1",
                "[2001:db8::1]:1;10.0.0.1     | [2001:db8::1]:1;10.0.0.1:8081",
                "example.com.:1               | example.com.:1",
            })
    void addressesBecomeTheirNormalForm(String text, String normalForm) {
        Endpoints endpoints = Endpoints.parse(text);
        assertThat(endpoints).hasToString(normalForm);
        assertThat(Endpoints.parse(normalForm)).isEqualTo(endpoints).hasSameHashCodeAs(endpoints);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                ";",
                ",;,",
                "host:",
                ":8081",
                "host:0",
                "host:65536",
                "host:-1",
                "host:http",
                "host:123456",
                "host: 1",
                "host:1:2",
                "::1",
                "[::1",
                "::1]",
                "[::1]x",
                "[::1]:",
                "[::1]:x",
                "[:::1]",
                "[1::2::3]",
                "[1:2:3:4:5:6:7]",
                "[1:2:3:4:5:6:7:8:9]",
                "[12345::]",
                "[:1::2]",
                "[1::2:]",
                "[host]:1",
                "[]:1",
                "256.0.0.1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.4.",
                "host name:1",
                "-host",
                "host-",
                "ho..st",
                "ftp://host:1",
                "host:1/path",
                "host:1?x",
                "user@host:1",
                "h\u00f6st:1",
                "ok:1;bad host:2",
            })
    void anythingElseIsRefusedInOneSentence(String text) {
        assertThatThrownBy(() -> Endpoints.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("endpoints: ")
                .hasMessageContaining("expected: host:port")
                .hasMessageNotContaining("\n");
    }

    @Test
    void theWrongPartIsNamed() {
        assertThatThrownBy(() -> Endpoints.parse("good:1;bad:99999"))
                .hasMessageContaining("'bad:99999'")
                .hasMessageContaining("port 99999 is not in 1 to 65535");
        assertThatThrownBy(() -> Endpoints.parse("::1"))
                .hasMessageContaining("an IPv6 address needs brackets");
    }

    @Test
    void addressesKeepTheirOrderAndTheirParts() {
        Endpoints endpoints = Endpoints.parse("b:2;[::1]:3;a");
        assertThat(
                        endpoints.addresses().stream()
                                .map(address -> address.host() + " " + address.port())
                                .collect(Collectors.toList()))
                .containsExactly("b 2", "::1 3", "a 8081");
        assertThatThrownBy(() -> endpoints.addresses().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void theOrderOfAddressesMakesADifference() {
        assertThat(Endpoints.parse("a;b")).isNotEqualTo(Endpoints.parse("b;a"));
        assertThat(Endpoints.parse("a").addresses())
                .isEqualTo(Endpoints.parse("A:8081").addresses());
    }
}
