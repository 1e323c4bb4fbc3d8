package dev.superstep.security;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// What a caller may do. None includes another.
public enum ApiScope {
  /// Look at everything that is stored.
  READ,
  /// Start, answer, resume, cancel and fork runs.
  RUN,
  /// Write, check and try out graphs.
  AUTHOR,
  /// Keys, and what erases.
  OPERATE;

  /// As requests, tokens and settings write it.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ApiScope> find(String text) {
    return Stream.of(values()).filter(it -> it.text().equals(text)).findFirst();
  }
}
