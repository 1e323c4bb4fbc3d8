package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.read.TestReport;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What became of the tests of a definition.
record TestReportBody(
    String graph,
    boolean passed,
    @JsonProperty("duration_ms") long durationMs,
    List<TestBody> tests) {

  /// What became of one test.
  @Schema(name = "TestResult")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record TestBody(
      String name,
      boolean passed,
      @JsonProperty("duration_ms") long durationMs,
      @Nullable String status,
      int supersteps,
      List<List<String>> path,
      Map<String, Integer> calls,
      List<FailureBody> failures) {

    private static TestBody of(TestReport.TestResult result) {
      return new TestBody(
          result.name(),
          result.passed(),
          result.duration().toMillis(),
          result.status().orElse(null),
          result.supersteps(),
          result.path(),
          new TreeMap<>(result.calls()),
          result.failures().stream().map(FailureBody::of).toList());
    }
  }

  /// What is not as expected.
  @Schema(name = "TestFailure")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record FailureBody(
      String pointer,
      String message,
      @Nullable Integer superstep,
      @Nullable Value expected,
      @Nullable Value actual) {

    private static FailureBody of(TestReport.TestFailure failure) {
      return new FailureBody(
          failure.pointer(),
          failure.message(),
          failure.superstep().orElse(null),
          failure.expected().orElse(null),
          failure.actual().orElse(null));
    }
  }

  static TestReportBody of(TestReport report) {
    return new TestReportBody(
        report.graph(),
        report.passed(),
        report.duration().toMillis(),
        report.tests().stream().map(TestBody::of).toList());
  }
}
