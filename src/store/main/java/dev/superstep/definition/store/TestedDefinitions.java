package dev.superstep.definition.store;

import dev.superstep.compute.ComputePool;
import dev.superstep.definition.AuthorText;
import dev.superstep.definition.read.DefinitionText;
import dev.superstep.definition.read.ReadResult;
import dev.superstep.definition.read.TestReport;
import dev.superstep.definition.read.TestRunner;
import dev.superstep.definition.read.TestedGraph;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Service;

/// Runs the tests of definitions. They take a thread of the [ComputePool] and its deadline.
@Service
public final class TestedDefinitions {
  /// Of a definition that is stored nowhere.
  private static final int UNSTORED = 1;

  private final Definitions definitions;
  private final TestRunner runner;
  private final ComputePool compute;

  TestedDefinitions(Definitions definitions, TestRunner runner, ComputePool compute) {
    this.definitions = definitions;
    this.runner = runner;
    this.compute = compute;
  }

  /// Runs the tests of a definition; stores nothing.
  ///
  /// @throws ServiceException `invalid_definition` with everything that is wrong
  public TestReport test(DefinitionText text) {
    return run(definitions.valid(text), UNSTORED);
  }

  /// Runs the tests that the author has posted last with this version.
  ///
  /// @throws ServiceException `graph_not_found`, `version_not_found`; `invalid_definition` if it
  ///   could not be posted today
  public TestReport test(String name, int version) {
    var found = definitions.version(name, version);
    return definitions
        .source(name, version)
        .map(it -> run(definitions.valid(text(it)), version))
        .orElseGet(() -> new TestReport(found.name(), List.of(), Duration.ZERO));
  }

  private static DefinitionText text(AuthorText source) {
    return new DefinitionText(source.text().getBytes(StandardCharsets.UTF_8), source.format());
  }

  private TestReport run(ReadResult readResult, int version) {
    var graph =
        new TestedGraph(
            readResult.definition().findText("name").orElseThrow(),
            version,
            readResult.graphPlan().orElseThrow(),
            readResult.tests());
    return compute.call(() -> runner.run(graph));
  }

  /// Runs the tests of a definition that is to be posted.
  ///
  /// @throws ServiceException `tests_failed` with all that is not as expected
  public void require(DefinitionText text) {
    var report = test(text);
    var failed = report.tests().stream().filter(it -> !it.passed()).toList();
    if (!failed.isEmpty()) {
      throw new ServiceException(
          ErrorCode.TESTS_FAILED,
          "%d of %d tests failed, and the definition is not stored; the first is '%s'"
              .formatted(failed.size(), report.tests().size(), failed.getFirst().name()),
          failed.stream()
              .flatMap(it ->
                  it.failures().stream()
                      .map(failure ->
                          new FieldError(
                              failure.pointer(),
                              ErrorCode.TESTS_FAILED,
                              "%s: %s".formatted(it.name(), failure.message()))))
              .toList());
    }
  }
}
