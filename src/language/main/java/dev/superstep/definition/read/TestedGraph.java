package dev.superstep.definition.read;

import dev.superstep.definition.check.GraphPlan;
import java.util.List;

/// A graph without errors and its tests.
public record TestedGraph(String name, int version, GraphPlan plan, List<TestCase> tests) {
  public TestedGraph {
    tests = List.copyOf(tests);
  }
}
