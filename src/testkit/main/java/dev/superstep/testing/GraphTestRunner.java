package dev.superstep.testing;

import dev.superstep.definition.read.TestCase;
import dev.superstep.definition.read.TestReport;
import dev.superstep.definition.read.TestReport.TestFailure;
import dev.superstep.definition.read.TestReport.TestResult;
import dev.superstep.definition.read.TestRunner;
import dev.superstep.definition.read.TestedGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.springframework.stereotype.Component;

/// Runs tests with the engine that runs graphs, in memory.
@Component
public final class GraphTestRunner implements TestRunner {
  private final LongSupplier nanos = System::nanoTime;

  @Override
  public TestReport run(TestedGraph graph) {
    var budget = new TestBudget(TestBudget::processorNanos);
    long begun = nanos.getAsLong();
    var results = new ArrayList<TestResult>();
    for (var test : graph.tests()) {
      results.add(run(graph, test, budget));
    }
    return new TestReport(graph.name(), results, since(begun));
  }

  private TestResult run(TestedGraph graph, TestCase test, TestBudget budget) {
    long begun = nanos.getAsLong();
    var ledger = new Ledger();
    var end = end(graph, test, ledger, budget);
    var status =
        end instanceof GraphTestRun.End.AtRest rest
            ? Optional.of(rest.status().name().toLowerCase(Locale.ROOT))
            : Optional.<String>empty();
    var failures =
        switch (end) {
          case GraphTestRun.End.Broken(var failure) -> List.of(failure);
          case GraphTestRun.End.AtRest rest ->
              Expectations.check(test, rest, ledger, graph.plan().outputChannels());
        };
    return new TestResult(
        test.name(),
        since(begun),
        status,
        ledger.supersteps(),
        ledger.written(),
        ledger.calls(),
        failures);
  }

  private static GraphTestRun.End end(
      TestedGraph graph, TestCase test, Ledger ledger, TestBudget budget) {
    try {
      budget.check();
      return new GraphTestRun(graph, test, ledger, budget).run();
    } catch (TestStoppedException e) {
      return new GraphTestRun.End.Broken(
          TestFailure.of(test.pointer(), String.valueOf(e.getMessage())));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new GraphTestRun.End.Broken(
          TestFailure.of(test.pointer(), "the test was interrupted"));
    }
  }

  private Duration since(long begun) {
    return Duration.ofNanos(nanos.getAsLong() - begun);
  }
}
