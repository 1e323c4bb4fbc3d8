package dev.superstep.context;

import java.util.Locale;

/// The parts of a prompt context besides its template.
public enum Part {
  VARIABLES,
  METADATA,
  HISTORY;

  /// As definitions and answers write it.
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
