package dev.superstep.context;

/// A condition that could not be evaluated and therefore counts as false (P5, P10).
///
/// @param rule where it stands, as a pointer into the filter, such as `/rules/2/condition`
/// @param message why it failed
public record FailedCondition(String rule, String condition, String message) {

  public FailedCondition under(String prefix) {
    return new FailedCondition(prefix + rule, condition, message);
  }
}
