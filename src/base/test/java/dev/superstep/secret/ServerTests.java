package dev.superstep.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Where a secret may be sent.
class ServerTests {
  @ParameterizedTest
  @CsvSource({
    "api.example, https://api.example/x",
    "api.example, https://API.example:443/x",
    "api.example:8443, https://api.example:8443/",
    "api.example:*, https://api.example:9/",
    "http://api.example, http://api.example/",
    "http://127.0.0.1:*, http://127.0.0.1:8085/",
  })
  void isTheServerOfAUrl(String server, String url) {
    assertThat(Server.parse(server).is(URI.create(url))).isTrue();
  }

  /// Neither in clear text nor to another service of the same host.
  @ParameterizedTest
  @CsvSource({
    "api.example, http://api.example/",
    "api.example, https://api.example:8443/",
    "api.example, https://api.example.evil/",
    "api.example:8443, https://api.example/",
    "http://api.example, https://api.example/",
    "api.example:*, http://api.example:9/",
  })
  void isNoOther(String server, String url) {
    assertThat(Server.parse(server).is(URI.create(url))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "https://", "a b", "ftp://x", "x:port", "x/path"})
  void isWrittenAsInUrls(String text) {
    assertThat(Server.isValid(text)).isFalse();
  }
}
