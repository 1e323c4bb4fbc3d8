package dev.superstep.node;

/// Carries out of a function that it sleeps or asks in a step. No exception: code that catches
/// those would go on.
final class StepSuspension extends Error {
  private static final long serialVersionUID = 1L;

  StepSuspension() {
    super("the function is called again later", null, false, false);
  }
}
