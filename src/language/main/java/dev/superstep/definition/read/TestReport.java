package dev.superstep.definition.read;

import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What became of the tests of a definition.
public record TestReport(String graph, List<TestResult> tests, Duration duration) {
  public TestReport {
    tests = List.copyOf(tests);
  }

  public boolean passed() {
    return tests.stream().allMatch(TestResult::passed);
  }

  /// What became of one test.
  ///
  /// @param status of the run when it was at rest; empty: it did not come to rest
  /// @param supersteps that have begun
  /// @param path the tasks of each superstep, as an expected path would name them
  /// @param calls by node
  public record TestResult(
      String name,
      Duration duration,
      Optional<String> status,
      int supersteps,
      List<List<String>> path,
      Map<String, Integer> calls,
      List<TestFailure> failures) {
    public TestResult {
      path = List.copyOf(path);
      failures = List.copyOf(failures);
    }

    public boolean passed() {
      return failures.isEmpty();
    }
  }

  /// What is not as expected.
  ///
  /// @param pointer JSON pointer into the definition
  /// @param message what is wrong and what to do
  /// @param superstep the first one in which it shows; empty: none in particular
  public record TestFailure(
      String pointer,
      String message,
      Optional<Integer> superstep,
      Optional<Value> expected,
      Optional<Value> actual) {

    public static TestFailure of(String pointer, String message) {
      return new TestFailure(
          pointer, message, Optional.empty(), Optional.empty(), Optional.empty());
    }
  }
}
