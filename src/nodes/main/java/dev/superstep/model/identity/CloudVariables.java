package dev.superstep.model.identity;

import dev.superstep.problem.Setting;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.core.env.Environment;

/// What the platform has set, complained about where it is missing.
record CloudVariables(Environment environment, Setting setting, Cloud cloud) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/+=,@-]{0,511}");

  Optional<String> find(String name) {
    return Optional.ofNullable(environment.getProperty(name)).filter(it -> !it.isBlank());
  }

  String require(String name) {
    return find(name)
        .orElseThrow(
            () -> complaint("the variable %s is not set: is the workload set up for it?", name));
  }

  /// A value that goes into an address or a form.
  String name(String name) {
    var value = require(name);
    if (!NAME.matcher(value).matches()) {
      throw complaint("the variable %s holds no name", name);
    }
    return value;
  }

  Path file(String name) {
    try {
      return Path.of(require(name));
    } catch (InvalidPathException _) {
      throw complaint("the variable %s holds no path", name);
    }
  }

  URI address(String name, String standard) {
    return safe("the variable " + name, find(name).orElse(standard));
  }

  URI safe(String what, String address) {
    return requireSafe(what, parse(what, address));
  }

  URI parse(String what, String address) {
    try {
      return new URI(address);
    } catch (URISyntaxException _) {
      throw complaint("%s holds no address", what);
    }
  }

  /// What is sent there are secrets.
  URI requireSafe(String what, URI address) {
    var host = address.getHost() == null ? "" : address.getHost();
    boolean isHere = host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
    if (host.isEmpty() || !(isHere || "https".equalsIgnoreCase(address.getScheme()))) {
      throw complaint("%s must be an https address", what);
    }
    return address;
  }

  RuntimeException complaint(String text, String what) {
    return setting.invalid(
        "is %s, but ".formatted(cloud.name().toLowerCase(Locale.ROOT)) + text.formatted(what));
  }
}
