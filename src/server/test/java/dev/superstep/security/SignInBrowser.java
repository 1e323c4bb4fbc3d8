package dev.superstep.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// A browser that keeps cookies, and sends no other headers than it is told to.
final class SignInBrowser {
  private static final Pattern COOKIE = Pattern.compile("(?m)^Set-Cookie: ([^=]+)=([^;\r]*)(.*)$");
  final Map<String, String> cookies = new TreeMap<>();

  /// The port to which it sends its calls.
  int asks;

  private final AuthorizationServer provider;

  SignInBrowser(AuthorizationServer provider, int asks) {
    this.provider = provider;
    this.asks = asks;
  }

  String cookie(String name) {
    return Objects.requireNonNull(cookies.get(name));
  }

  String get(String path, String... headers) throws IOException {
    return send("GET", path, "", headers);
  }

  String send(String method, String path, String body, String... headers) throws IOException {
    var lines = new ArrayList<>(List.of("Host: superstep.example"));
    if (!cookies.isEmpty()) {
      lines.add("Cookie: " + String.join("; ", pairs()));
    }
    if (!body.isEmpty()) {
      lines.add("Content-Type: application/json");
    }
    lines.add("Content-Length: " + body.getBytes(UTF_8).length);
    lines.addAll(List.of(headers));
    var answer = RawHttp.sendBody(method, asks, path, body, lines.toArray(String[]::new));
    var set = COOKIE.matcher(answer);
    while (set.find()) {
      if (set.group(3).contains("Max-Age=0")) {
        cookies.remove(set.group(1));
      } else {
        cookies.put(set.group(1), set.group(2));
      }
    }
    return answer;
  }

  List<String> pairs() {
    return cookies.entrySet().stream().map(it -> it.getKey() + "=" + it.getValue()).toList();
  }

  /// @return the path to which the provider leads back
  String begin(String name, String query) throws IOException {
    var begun = get("/sign-in" + query);
    assertThat(begun).startsWith("HTTP/1.1 302");
    return answerOf(name, location(begun));
  }

  String signIn(String name) throws IOException {
    var answer = get(begin(name, ""));
    assertThat(answer).startsWith("HTTP/1.1 302");
    return answer;
  }

  private String answerOf(String name, String address) throws IOException {
    assertThat(address).startsWith(provider.issuer() + "/oauth2/authorize?");
    var form = "username=%s&password=%s".formatted(name, AuthorizationServer.PASSWORD);
    var body = form.replace(' ', '+');
    var known =
        RawHttp.sendBody(
            "POST",
            provider.port(),
            "/login",
            body,
            "Host: 127.0.0.1:" + provider.port(),
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Length: " + body.length());
    var answer =
        RawHttp.get(
            provider.port(),
            address.substring(provider.issuer().length()),
            "Host: 127.0.0.1:" + provider.port(),
            "Cookie: " + known.replaceAll("(?s).*Set-Cookie: ([^;]+);.*", "$1"));
    assertThat(answer).startsWith("HTTP/1.1 302");
    assertThat(location(answer)).startsWith(SignInApiTests.URL + "/sign-in/callback?code=");
    return location(answer).substring(SignInApiTests.URL.length());
  }

  static String location(String answer) {
    return answer.replaceAll("(?s).*\nLocation: ([^\r]+)\r.*", "$1");
  }
}
