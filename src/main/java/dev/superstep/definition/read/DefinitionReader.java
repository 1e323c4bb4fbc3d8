package dev.superstep.definition.read;

import dev.superstep.definition.check.GraphPlan;
import dev.superstep.definition.check.PostingChecks;
import dev.superstep.definition.form.DefinitionSchema;
import dev.superstep.definition.form.Fields;
import dev.superstep.definition.form.ObjectSchema;
import dev.superstep.definition.form.TestTables;
import dev.superstep.definition.sugar.LongForm;
import dev.superstep.definition.testing.TestCaseReader;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.violation.Location;
import dev.superstep.violation.Violation;
import dev.superstep.violation.Violations;
import java.util.List;
import java.util.Optional;

/// Reads a definition: first its schema, table by table, then, in long form, its meaning. Both
/// continue after an error, so that an author sees all of them at once.
public final class DefinitionReader {
  /// At most this many errors, and this many warnings, are reported.
  static final int PROBLEMS_MAX = 500;

  private final ObjectSchema definitionSchema;
  private final LongForm.Rules rules;
  private final GraphReader graphs;
  private final Reachability reachability;
  private final PostingChecks posting;
  private final TestCaseReader cases;

  DefinitionReader(
      LongForm.Rules rules,
      GraphReader graphs,
      Reachability reachability,
      PostingChecks posting,
      TestCaseReader cases) {
    this.definitionSchema = DefinitionSchema.graph(rules.limits());
    this.rules = rules;
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
    var written = definitionSchema.read(document, at).map(ObjectValue.class::cast);
    var tests = written.map(it -> cases.read(new Fields(it), at)).orElse(List.of());
    var longForm =
        written.map(it -> LongForm.of(it.minus(TestTables.TESTS), rules, at)).orElse(LongForm.NONE);
    Optional<GraphPlan> graphPlan =
        document instanceof ObjectValue
            ? Optional.of(
                plan(longForm.definition(), violations.root(longForm.origins()::of), extra))
            : Optional.empty();
    var errors = distinct(violations.errors());
    return new ReadResult(
        longForm,
        graphPlan.filter(_ -> errors.isEmpty()),
        tests,
        errors,
        distinct(violations.warnings()));
  }

  /// A wrong default is one mistake, however many nodes have it.
  private static List<Violation> distinct(List<Violation> violations) {
    return violations.stream().distinct().toList();
  }

  private GraphPlan plan(ObjectValue definition, Location at, Extra extra) {
    var graph = new Fields(definition);
    var graphPlan = graphs.read(graph, at);
    reachability.check(graph, at);
    extra.check(graph, graphPlan, at);
    return graphPlan;
  }
}
