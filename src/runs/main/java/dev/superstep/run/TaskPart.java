package dev.superstep.run;

import java.util.Locale;

/// A part of a task that may be large, and that lists can leave out.
public enum TaskPart {
  /// What a dispatch was given.
  INPUT,
  /// What it wrote, and what it took out of channels.
  CHANGE;

  /// The name in the API.
  public String apiName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
