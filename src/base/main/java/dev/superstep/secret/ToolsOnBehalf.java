package dev.superstep.secret;

import java.util.Map;

/// The tools of this server that are called on behalf of who has started a run.
///
/// @param bySetting the property that says so → how
public record ToolsOnBehalf(Map<String, OnBehalfOf> bySetting) {
  public ToolsOnBehalf {
    bySetting = Map.copyOf(bySetting);
  }

  /// Whether there is none, so that no token is needed.
  public boolean isEmpty() {
    return bySetting.isEmpty();
  }
}
