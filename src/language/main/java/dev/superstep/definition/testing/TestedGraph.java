package dev.superstep.definition.testing;

import dev.superstep.definition.check.GraphPlan;
import java.util.List;

/// A graph without errors and its tests.
public record TestedGraph(String name, int version, GraphPlan plan, List<TestCase> tests) {
  public TestedGraph {
    tests = List.copyOf(tests);
  }
}
