package dev.superstep.run;

import java.util.Locale;

/// A part of a run that may be large, and costly to read.
public enum RunPart {
  INPUT,
  OUTPUT;

  /// The name in the API.
  public String apiName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
