package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.read.TestReport;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What became of the tests of a definition.
@Schema(name = "TestReport", description = "What became of the tests of a definition")
record TestReportBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "Name of the graph") String graph,
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "Whether all tests passed")
        boolean passed,
    @Schema(requiredMode = RequiredMode.REQUIRED) @JsonProperty("duration_ms") long durationMs,
    @Schema(requiredMode = RequiredMode.REQUIRED) List<TestBody> tests) {

  /// What became of one test.
  @Schema(name = "TestResult", description = "What became of one test")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record TestBody(
      @Schema(requiredMode = RequiredMode.REQUIRED) String name,
      @Schema(requiredMode = RequiredMode.REQUIRED) boolean passed,
      @Schema(requiredMode = RequiredMode.REQUIRED) @JsonProperty("duration_ms") long durationMs,
      @Schema(description = "Of the run; absent if the test had to stop", example = "succeeded")
          @Nullable String status,
      @Schema(requiredMode = RequiredMode.REQUIRED, description = "Supersteps that have begun")
          int supersteps,
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              description = "The nodes of each superstep, as an expected path names them")
          List<List<String>> path,
      @Schema(requiredMode = RequiredMode.REQUIRED, description = "Node id to number of calls")
          Map<String, Integer> calls,
      @Schema(requiredMode = RequiredMode.REQUIRED) List<FailureBody> failures) {

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
  @Schema(name = "TestFailure", description = "What is not as expected")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record FailureBody(
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              description = "JSON pointer into the definition",
              example = "/tests/0/expect/path/1")
          String pointer,
      @Schema(requiredMode = RequiredMode.REQUIRED, description = "What is wrong and what to do")
          String message,
      @Schema(description = "The first superstep in which it shows") @Nullable Integer superstep,
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
