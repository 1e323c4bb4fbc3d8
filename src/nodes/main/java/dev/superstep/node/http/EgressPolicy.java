package dev.superstep.node.http;

import dev.superstep.problem.InvalidSettingException;
import dev.superstep.problem.Setting;
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

  /// A name that no name server answers for: it has a colon, or ends in a number.
  private static final Pattern ADDRESS = Pattern.compile(".*:.*|[0-9.]+");

  private final List<EgressRule> allowed;

  private EgressPolicy(List<EgressRule> allowed) {
    this.allowed = List.copyOf(allowed);
  }

  /// @param patterns `host[:port]`, `*` stands for any characters; no port means any port; IPv6
  ///   addresses stand in brackets; what is made of digits, dots and `*` is about addresses
  /// @throws dev.superstep.problem.InvalidSettingException naming the pattern that is none
  public static EgressPolicy of(List<String> patterns) {
    var allowed = new ArrayList<EgressRule>();
    for (var pattern : patterns) {
      if (!pattern.isBlank()) {
        allowed.add(compile(pattern.strip()));
      }
    }
    return new EgressPolicy(allowed);
  }

  private static EgressRule compile(String pattern) {
    var matcher = PATTERN.matcher(pattern);
    if (!matcher.matches()) {
      throw noPattern(pattern);
    }
    var host = matcher.group(1).toLowerCase(Locale.ROOT);
    var port = matcher.group(2);
    return new EgressRule(
        HostKind.of(host),
        Pattern.compile(glob(literal(host, pattern))),
        Pattern.compile(glob(port == null ? "*" : port)));
  }

  /// An IPv6 address as addresses are written here, so that `[::1]` is `0:0:0:0:0:0:0:1`.
  private static String literal(String host, String pattern) {
    if (!host.startsWith("[") || host.contains("*")) {
      return host.startsWith("[") ? unbracket(host) : host;
    }
    try {
      return InetAddress.ofLiteral(unbracket(host)).getHostAddress();
    } catch (IllegalArgumentException _) {
      throw noPattern(pattern);
    }
  }

  private static String glob(String text) {
    return Stream.of(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
  }

  /// Checks every address that a host has: one that is refused refuses the host, so that a name
  /// cannot hide a private address behind a public one.
  public void check(String host, int port, List<InetAddress> addresses)
      throws EgressRefusedException {
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
    boolean address = ADDRESS.matcher(host).matches();
    var target = address ? InetAddress.ofLiteral(host).getHostAddress() : host;
    return allowed.stream()
        .anyMatch(it -> it.matches(target.toLowerCase(Locale.ROOT), address, port));
  }

  private static InvalidSettingException noPattern(String pattern) {
    return new Setting("superstep.egress.allow")
        .invalid(
            "holds '%s', no host[:port] pattern such as 127.0.0.1:*, *.internal:8080 or [::1]:80"
                .formatted(pattern));
  }

  private static String named(String name, InetAddress address) {
    var literal = address.getHostAddress();
    return name.equals(literal) ? name : "%s (%s)".formatted(name, literal);
  }

  private static String authority(String name, int port) {
    return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
  }

  public static String normalize(String host) {
    var name = host.startsWith("[") ? unbracket(host) : host;
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }

  private static String unbracket(String host) {
    return host.substring(1, host.length() - 1);
  }

  /// Whether a pattern matches addresses or names: `10.*` is about addresses, and must not let a
  /// name such as `10.example.org` pass; such names can be registered.
  private enum HostKind {
    ADDRESSES,
    NAMES,
    ALL;

    static HostKind of(String host) {
      if (host.equals("*")) {
        return ALL;
      }
      return host.startsWith("[") || host.matches("[0-9.*]+") ? ADDRESSES : NAMES;
    }
  }

  private record EgressRule(HostKind kind, Pattern host, Pattern port) {
    boolean matches(String target, boolean address, int number) {
      boolean speaksOfIt =
          switch (kind) {
            case ALL -> true;
            case ADDRESSES -> address;
            case NAMES -> !address;
          };
      return speaksOfIt
          && host.matcher(target).matches()
          && port.matcher(Integer.toString(number)).matches();
    }
  }
}
