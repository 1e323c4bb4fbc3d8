package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.GraphName;
import dev.superstep.definition.check.GraphPlan;
import dev.superstep.definition.check.PostingChecks;
import dev.superstep.definition.form.DefinitionSchema;
import dev.superstep.definition.form.LongForm;
import dev.superstep.definition.form.ObjectSchema;
import dev.superstep.definition.form.TestTables;
import dev.superstep.graph.Location;
import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  /// Reads one graph of a definition that was accepted before, perhaps by an earlier release.
  ///
  /// @return empty: the definition has no such graph
  public Optional<ReadResult> readStored(Value document, GraphName name) {
    var violations = new Violations(document, PROBLEMS_MAX);
    var written = definitionSchema.read(document, violations.root()).map(ObjectValue.class::cast);
    var longForm = longForm(written, violations);
    return name.find(longForm.definition())
        .map(graph -> {
          var at = in(violations.root(longForm.origins()::of), name);
          var graphPlan = plan(graph, at, (_, _, _) -> {});
          return result(longForm, Optional.of(graphPlan), List.of(), violations);
        });
  }

  /// Additional checks, beyond what a graph needs to run.
  private interface Extra {
    void check(ObjectValue graph, GraphPlan graphPlan, Location at);
  }

  private ReadResult read(Value document, Extra extra) {
    var violations = new Violations(document, PROBLEMS_MAX);
    var written = definitionSchema.read(document, violations.root()).map(ObjectValue.class::cast);
    var tests = written.map(it -> cases.read(it, violations.root())).orElse(List.of());
    var longForm = longForm(written, violations);
    var at = violations.root(longForm.origins()::of);
    Optional<GraphPlan> graphPlan =
        document instanceof ObjectValue
            ? Optional.of(plan(longForm.definition(), at, extra))
            : Optional.empty();
    planInline(longForm.definition(), at, extra);
    return result(longForm, graphPlan, tests, violations);
  }

  private LongForm longForm(Optional<ObjectValue> written, Violations violations) {
    return written
        .map(it -> LongForm.of(it.minus(TestTables.TESTS), rules, violations.root()))
        .orElse(LongForm.NONE);
  }

  private static ReadResult result(
      LongForm longForm,
      Optional<GraphPlan> graphPlan,
      List<TestCase> tests,
      Violations violations) {
    var errors = distinct(violations.errors());
    return new ReadResult(
        longForm,
        graphPlan.filter(_ -> errors.isEmpty()),
        tests,
        errors,
        distinct(violations.warnings()));
  }

  /// Inline graphs are checked as the graph around them is.
  private void planInline(ObjectValue definition, Location at, Extra extra) {
    var inline = GraphName.inlineGraphs(definition).keySet();
    if (inline.isEmpty() || !fitTogether(definition, at)) {
      return;
    }
    var own = definition.textOrEmpty("name");
    for (var graph : inline) {
      var name = new GraphName(own, graph);
      name.find(definition).ifPresent(it -> plan(it, in(at, name), extra));
    }
  }

  private static Location in(Location at, GraphName name) {
    return name.isInline() ? at.key(GraphName.GRAPHS).key(name.inline()) : at;
  }

  /// What bounds one graph bounds a definition: graphs within it are no way around that.
  private boolean fitTogether(ObjectValue definition, Location at) {
    var limits = rules.limits();
    return fitTogether("nodes", limits.nodesMax(), definition, at)
        && fitTogether("edges", limits.edgesMax(), definition, at)
        && fitTogether("channels", limits.channelsMax(), definition, at);
  }

  private static boolean fitTogether(String key, int max, ObjectValue definition, Location at) {
    int all =
        Stream.concat(Stream.of(definition), GraphName.inlineGraphs(definition).values().stream())
            .mapToInt(it -> size(it.get(key)))
            .sum();
    if (all > max) {
      at.key(GraphName.GRAPHS)
          .error(
              Codes.TOO_MANY,
              "the definition has %d %s together with its inline graphs, at most %d are allowed; post a part of them as a graph of its own"
                  .formatted(all, key, max));
    }
    return all <= max;
  }

  private static int size(@Nullable Value members) {
    return switch (members) {
      case ListValue list -> list.size();
      case ObjectValue object -> object.size();
      case null, default -> 0;
    };
  }

  /// A wrong default is one mistake, however many nodes have it.
  private static List<Violation> distinct(List<Violation> violations) {
    return violations.stream().distinct().toList();
  }

  private GraphPlan plan(ObjectValue definition, Location at, Extra extra) {
    var graphPlan = graphs.read(definition, at);
    reachability.check(definition, at);
    extra.check(definition, graphPlan, at);
    return graphPlan;
  }
}
