package dev.superstep.definition.read;

import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.check.GraphPlan;
import dev.superstep.definition.check.PostingChecks;
import dev.superstep.definition.form.AgentTemplate;
import dev.superstep.definition.form.DefinitionSchema;
import dev.superstep.definition.form.Fields;
import dev.superstep.definition.form.ObjectSchema;
import dev.superstep.definition.form.TestTables;
import dev.superstep.definition.testing.TestCaseReader;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.violation.Location;
import dev.superstep.violation.Violations;
import java.util.Optional;

/// Reads a definition: first its schema, table by table, then its meaning. Both continue after an
/// error, so that an author sees all of them at once.
public final class DefinitionReader {
  /// At most this many errors, and this many warnings, are reported.
  static final int PROBLEMS_MAX = 500;

  private final ObjectSchema definitionSchema;
  private final GraphReader graphs;
  private final Reachability reachability;
  private final PostingChecks posting;
  private final TestCaseReader cases;

  DefinitionReader(
      DefinitionLimits limits,
      GraphReader graphs,
      Reachability reachability,
      PostingChecks posting,
      TestCaseReader cases) {
    this.definitionSchema = DefinitionSchema.graph(limits);
    this.graphs = graphs;
    this.reachability = reachability;
    this.posting = posting;
    this.cases = cases;
  }

  /// Reads what an author posts.
  public ReadResult read(Value document) {
    return read(document, posting::check);
  }

  /// Reads a definition that was accepted before, perhaps by an earlier release.
  public ReadResult readStored(Value document) {
    return read(document, (_, _, _) -> {});
  }

  /// Additional checks, beyond what a graph needs to run.
  private interface Extra {
    void check(Fields graph, GraphPlan graphPlan, Location at);
  }

  private ReadResult read(Value document, Extra extra) {
    var violations = new Violations(document, PROBLEMS_MAX);
    var at = violations.root();
    var whole =
        definitionSchema
            .read(document, at)
            .map(ObjectValue.class::cast)
            .map(AgentTemplate::expand)
            .orElse(ObjectValue.empty());
    var tests = cases.read(new Fields(whole), at);
    var definition = whole.minus(TestTables.TESTS);
    Optional<GraphPlan> graphPlan =
        document instanceof ObjectValue
            ? Optional.of(plan(definition, at, extra))
            : Optional.empty();
    var errors = violations.errors();
    return new ReadResult(
        definition, graphPlan.filter(_ -> errors.isEmpty()), tests, errors, violations.warnings());
  }

  private GraphPlan plan(ObjectValue definition, Location at, Extra extra) {
    var graph = new Fields(definition);
    var graphPlan = graphs.read(graph, at);
    reachability.check(graph, at);
    extra.check(graph, graphPlan, at);
    return graphPlan;
  }
}
