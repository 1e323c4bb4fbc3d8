package dev.superstep.problem;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Settings whose names operators give, such as those of graphs.
public final class NamedSettings {
  private NamedSettings() {}

  /// The setting of this name, compared as Spring Boot compares names of properties and variables:
  /// without `-`, `_` and case.
  public static <T> Optional<T> find(Map<String, T> values, String name) {
    return values.entrySet().stream()
        .filter(it -> plain(it.getKey()).equals(plain(name)))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /// The name without what Spring Boot does not compare.
  public static String plain(String name) {
    return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
  }
}
