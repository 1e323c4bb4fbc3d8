package dev.superstep.node.http;

import dev.superstep.settings.Setting;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Decides which addresses HTTP nodes may connect to: all of the public internet, and whatever else
/// `superstep.egress.allow` names.
final class EgressPolicy {
  static final String SETTING = "superstep.egress.allow (SUPERSTEP_EGRESS_ALLOW)";
  private static final Pattern PATTERN =
      Pattern.compile("(\\[[0-9A-Fa-f:.*]+]|[A-Za-z0-9._*-]+)(?::([0-9]{1,5}|\\*))?");
  private final List<Pattern> allowed;

  private EgressPolicy(List<Pattern> allowed) {
    this.allowed = List.copyOf(allowed);
  }

  /// @param patterns `host[:port]`, `*` stands for any characters; no port means any port; IPv6
  ///   addresses stand in brackets
  /// @throws dev.superstep.settings.InvalidSettingException naming the pattern that is none
  static EgressPolicy of(List<String> patterns) {
    var allowed = new ArrayList<Pattern>();
    for (var pattern : patterns) {
      if (!pattern.isBlank()) {
        allowed.add(compile(pattern.strip()));
      }
    }
    return new EgressPolicy(allowed);
  }

  private static Pattern compile(String pattern) {
    var matcher = PATTERN.matcher(pattern);
    if (!matcher.matches()) {
      throw new Setting("superstep.egress.allow")
          .invalid(
              "holds '%s', no host[:port] pattern such as 127.0.0.1:*, *.internal:8080 or [::1]:80"
                  .formatted(pattern));
    }
    var host = matcher.group(1).startsWith("[") ? unbracket(matcher.group(1)) : matcher.group(1);
    var port = matcher.group(2);
    return Pattern.compile(
        glob(host.toLowerCase(Locale.ROOT)) + ":" + glob(port == null ? "*" : port));
  }

  private static String glob(String text) {
    return Stream.of(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
  }

  /// Checks every address that a host has: one that is refused refuses the host, so that a name
  /// cannot hide a private address behind a public one.
  void check(String host, int port, List<InetAddress> addresses) throws EgressRefusedException {
    var name = normalize(host);
    if (isAllowed(name, port)) {
      return;
    }
    for (var address : addresses) {
      var special = SpecialAddresses.describe(address);
      if (special.isPresent() && !isAllowed(address.getHostAddress(), port)) {
        throw new EgressRefusedException(
            "%s is %s, which HTTP nodes may not reach; if they should, add %s to %s"
                .formatted(named(name, address), special.get(), authority(name, port), SETTING));
      }
    }
  }

  private boolean isAllowed(String host, int port) {
    var target = host.toLowerCase(Locale.ROOT) + ":" + port;
    return allowed.stream().anyMatch(it -> it.matcher(target).matches());
  }

  private static String named(String name, InetAddress address) {
    var literal = address.getHostAddress();
    return name.equals(literal) ? name : "%s (%s)".formatted(name, literal);
  }

  private static String authority(String name, int port) {
    return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
  }

  static String normalize(String host) {
    var name = host.startsWith("[") ? unbracket(host) : host;
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }

  private static String unbracket(String host) {
    return host.substring(1, host.length() - 1);
  }
}
