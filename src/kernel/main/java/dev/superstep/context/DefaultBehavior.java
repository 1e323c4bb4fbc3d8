package dev.superstep.context;

import java.util.Locale;

/// What happens to an item that no rule matches.
public enum DefaultBehavior {
  PASS,
  BLOCK;

  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
