package dev.superstep.context;

import java.util.Locale;

/// What a prompt context consists of besides its template.
public enum Part {
  VARIABLES,
  METADATA,
  HISTORY;

  /// As definitions and answers write it.
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
