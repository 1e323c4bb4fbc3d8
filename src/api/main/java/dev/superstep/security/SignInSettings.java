package dev.superstep.security;

import dev.superstep.problem.Setting;
import dev.superstep.secret.SecretReference;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How people sign in at the console with an OpenID provider.
///
/// @param clientId as which the provider knows this server; empty: nobody signs in
/// @param clientSecret where the secret of that client is kept
/// @param issuer whose tokens are taken; empty: there is one issuer only
/// @param url under which browsers reach this server
/// @param name of the provider, for people
/// @param scopes that are asked for, beside `openid`
/// @param idle after which a session ends that makes no call
/// @param max after which a session ends in any case
@ConfigurationProperties("superstep.auth.sign-in")
record SignInSettings(
    @DefaultValue("") String clientId,
    @DefaultValue("") String clientSecret,
    @DefaultValue("") String issuer,
    @DefaultValue("") String url,
    @DefaultValue("your account") String name,
    @DefaultValue List<String> scopes,
    @DefaultValue("1h") Duration idle,
    @DefaultValue("12h") Duration max) {
  private static final String PREFIX = "superstep.auth.sign-in.";
  private static final Logger LOG = LoggerFactory.getLogger(SignInSettings.class);
  private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final String OPENID = "openid";
  private static final Map<String, Integer> STANDARD_PORTS = Map.of("http", 80, "https", 443);
  private static final Duration MIN = Duration.ofMinutes(1);
  static final Duration MAX = Duration.ofDays(30);

  SignInSettings {
    url = url.replaceFirst("/$", "");
    scopes =
        Stream.concat(Stream.of(OPENID), scopes.stream().map(String::strip)).distinct().toList();
  }

  boolean isOff() {
    return clientId.isBlank();
  }

  /// @throws dev.superstep.problem.InvalidSettingException if nobody could sign in
  SignInSettings checked() {
    new Setting(PREFIX + "idle").within(MIN, MAX, idle);
    new Setting(PREFIX + "max").within(MIN, MAX, max);
    if (SecretReference.parse(clientSecret).isEmpty()) {
      throw new Setting(PREFIX + "client-secret").invalid(SecretReference.FORMS);
    }
    if (origin(url).isEmpty() || !URI.create(url).getRawPath().isEmpty()) {
      throw new Setting(PREFIX + "url")
          .invalid(
              "must be the address at which browsers reach the console, without a path, such as"
                  + " https://superstep.example.com");
    }
    if (!isSecure() && !LOCAL.contains(URI.create(url).getHost())) {
      LOG.warn("{}url is without TLS: others can read the cookies of who has signed in", PREFIX);
    }
    return this;
  }

  /// Of the console's pages.
  String origin() {
    return origin(url).orElseThrow();
  }

  /// Whether browsers keep cookies from connections that others can read.
  boolean isSecure() {
    return url.startsWith("https:");
  }

  /// As browsers write it.
  private static String origin(URI uri) {
    var isStandard =
        uri.getPort() == -1
            || Integer.valueOf(uri.getPort()).equals(STANDARD_PORTS.get(uri.getScheme()));
    var host = uri.getScheme() + "://" + uri.getHost().toLowerCase(Locale.ROOT);
    return isStandard ? host : host + ":" + uri.getPort();
  }

  static Optional<String> origin(String address) {
    try {
      var uri = URI.create(address);
      return uri.getHost() != null
              && uri.getUserInfo() == null
              && uri.getQuery() == null
              && uri.getFragment() == null
              && STANDARD_PORTS.containsKey(String.valueOf(uri.getScheme()))
          ? Optional.of(origin(uri))
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
