package dev.superstep.definition.read;

/// Runs the tests of definitions.
@FunctionalInterface
public interface TestRunner {

  /// Runs all tests, one after the other, on the calling thread. Nothing is stored and nothing is
  /// called outside the service.
  TestReport run(TestedGraph graph);
}
