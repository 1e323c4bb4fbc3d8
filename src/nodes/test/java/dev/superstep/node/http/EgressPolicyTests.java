package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EgressPolicyTests {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:*,     127.0.0.1,        8080, 127.0.0.1",
    "127.0.0.1,       127.0.0.1,        8080, 127.0.0.1",
    "127.0.0.1:8080,  127.0.0.1,        8080, 127.0.0.1",
    "127.0.0.1:*,     localhost,        8080, 127.0.0.1",
    "localhost:*,     LOCALHOST,        80,   127.0.0.1",
    "localhost:*,     localhost.,       80,   127.0.0.1",
    "*.internal:8080, api.internal,     8080, 10.0.0.7",
    "*.Internal,      a.b.INTERNAL,     1,    10.0.0.7",
    "10.0.*:*,        10.0.3.4,         80,   10.0.3.4",
    "[::1]:80,        [::1],            80,   ::1",
    "[fd00:*]:*,      host,             80,   fd00::1",
    "*,               anything,         1,    192.168.0.1",
    "my_service:*,    my_service,       80,   172.18.0.2",
    "10.*,            db.example,       5432, 10.1.2.3",
    "10.*:*,          10.1.2.3,         80,   10.1.2.3",
    "10.*.example,    10.a.example,     80,   192.168.0.1",
    "[::1]:80,        host,             80,   ::1",
    "[FD00::7],       [fd00:0::7],      80,   fd00::7",
  })
  void allowsWhatAPatternNames(String pattern, String host, int port, String address) {
    assertThatCode(() -> check(pattern, host, port, address)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "'',              127.0.0.1,        80,   127.0.0.1",
    "127.0.0.1:8080,  127.0.0.1,        8081, 127.0.0.1",
    "127.0.0.1:80,    127.0.0.1,        8080, 127.0.0.1",
    "127.0.0.1:*,     127.0.0.2,        80,   127.0.0.2",
    "*.internal:*,    internal,         80,   10.0.0.7",
    "*.internal:*,    api.internal.evil,80,   10.0.0.7",
    "a.internal:*,    axinternal,       80,   10.0.0.7",
    "[::1]:80,        [::1],            81,   ::1",
    "10.*,            10.evil.example,  80,   127.0.0.1",
    "10.*:*,          10.evil.example,  80,   192.168.0.1",
    "127.0.0.*,       127.0.0.evil.org, 80,   169.254.169.254",
    "1*,              1.example,        80,   fd00::1",
    "[fd00:*],        fd00.example,     80,   fd01::1",
    "f*,              host,             80,   fd00::1",
  })
  void refusesWhatNoPatternNames(String pattern, String host, int port, String address) {
    assertThatExceptionOfType(EgressRefusedException.class)
        .isThrownBy(() -> check(pattern, host, port, address))
        .withMessageContaining("SUPERSTEP_EGRESS_ALLOW");
  }

  @Test
  void refusesANameWithOnePrivateAddressAmongItsPublicOnes() {
    assertThatExceptionOfType(EgressRefusedException.class)
        .isThrownBy(() -> check("", "two-faced.example", 80, "8.8.8.8", "127.0.0.1"))
        .withMessageStartingWith("two-faced.example (127.0.0.1) is a loopback address")
        .withMessageContaining("add two-faced.example:80 to superstep.egress.allow");
  }

  @Test
  void letsPublicAddressesPassWithoutAPattern() {
    assertThatCode(() -> check("", "dns.example", 443, "8.8.8.8", "2001:4860:4860::8888"))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a",
        "a:b",
        "::1",
        "a:1:2",
        "a b",
        "[::1",
        "a:123456",
        "a/b",
        ".*(x",
        "[1::2::3]"
      })
  void refusesToStartWithWhatIsNoPattern(String pattern) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EgressPolicy.of(List.of(pattern)))
        .withMessageContaining("superstep.egress.allow");
  }

  private static void check(String pattern, String host, int port, String... addresses)
      throws EgressRefusedException {
    EgressPolicy.of(List.of(pattern))
        .check(host, port, Stream.of(addresses).map(InetAddress::ofLiteral).toList());
  }
}
