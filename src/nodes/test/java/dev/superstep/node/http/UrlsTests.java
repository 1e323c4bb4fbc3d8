package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UrlsTests {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "example.com",
        "ftp://example.com",
        "file:///etc/passwd",
        "jar:http://example.com!/",
        "http:example.com",
        "http://",
        "http:///path",
        "http://user:secret@example.com/",
        "http://user@example.com/",
        "http://exa mple.com",
        "http://[fe80::1%25eth0]/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://127.0.1/",
        "http://127.0.0.1.2/",
        "http://127.0.0.01/",
        "http://256.1.1.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://a.0x1/",
        "http://example.com:65536/",
        "http://example.com:99999999999/",
        "http://[::1]:70000/",
        "http://127.0.0.1:0/",
        "http://127.0.0.1:-1/",
        "http://127.0.0.1:x/",
        "http://my_service:65536/x"
      })
  void refusesWhatIsNoPlainWebAddress(String url) {
    assertThatExceptionOfType(BadRequestException.class).isThrownBy(() -> Urls.parse(url));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.com",
        "HTTPS://example.com:8443/a?b=c",
        "http://127.0.0.1:8080/",
        "http://[::1]:8080/",
        "http://my_service:8080/x",
        "http://example.com:/",
        "http://example.com:65535/",
        "http://3com.example/",
        "http://1.example/"
      })
  void takesPlainWebAddresses(String url) {
    assertThat(Urls.parse(url)).isEqualTo(URI.create(url));
  }

  @Test
  void leavesTheFragmentOut() {
    assertThat(Urls.parse("http://a.example/x#y")).isEqualTo(URI.create("http://a.example/x"));
  }

  @Test
  void comparesOriginsWithStandardPorts() {
    assertThat(Urls.origin(URI.create("https://A.example/x")))
        .isEqualTo(Urls.origin(URI.create("https://a.example:443/y")));
    assertThat(Urls.origin(URI.create("https://a.example")))
        .isNotEqualTo(Urls.origin(URI.create("http://a.example")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://b.example:65536/", "http://b.example:-1/", "//b.example:70000/"})
  void followsNoRedirectToAPortThatIsNone(String location) {
    assertThatExceptionOfType(BadRequestException.class)
        .isThrownBy(() -> Urls.redirect(URI.create("http://a.example/"), location))
        .withMessageContaining("65535");
  }

  @Test
  void resolvesRelativeRedirects() {
    assertThat(Urls.redirect(URI.create("http://a.example/x/y"), "../z"))
        .isEqualTo(URI.create("http://a.example/z"));
  }
}
