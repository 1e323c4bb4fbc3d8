package dev.superstep.definition;

import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.Optional;

/// Reads a definition: first its form, table by table, then what it means. Both go on behind what
/// is wrong, so that an author learns everything at once.
final class DefinitionReader {
  private final ObjectForm form;
  private final GraphReader graphs;
  private final Reachability reachability;
  private final PostingChecks posting;

  DefinitionReader(
      DefinitionLimits limits,
      GraphReader graphs,
      Reachability reachability,
      PostingChecks posting) {
    this.form = Tables.graph(limits);
    this.graphs = graphs;
    this.reachability = reachability;
    this.posting = posting;
  }

  /// Reads what an author posts.
  Reading read(Value document) {
    return read(document, posting::check);
  }

  /// Reads a definition that was accepted before, perhaps by an earlier release.
  Reading readStored(Value document) {
    return read(document, (_, _, _) -> {});
  }

  /// What is checked beside what a graph needs to run.
  private interface Extra {
    void check(Fields graph, Plan plan, Place at);
  }

  private Reading read(Value document, Extra extra) {
    var problems = new Problems(document);
    var at = new Place("", problems);
    var definition =
        form.read(document, at)
            .map(ObjectValue.class::cast)
            .map(AgentTemplate::expand)
            .orElse(ObjectValue.empty());
    Optional<Plan> plan =
        document instanceof ObjectValue
            ? Optional.of(plan(definition, at, extra))
            : Optional.empty();
    var errors = problems.errors();
    return new Reading(definition, plan.filter(_ -> errors.isEmpty()), errors, problems.warnings());
  }

  private Plan plan(ObjectValue definition, Place at, Extra extra) {
    var graph = new Fields(definition);
    var plan = graphs.read(graph, at);
    reachability.check(graph, at);
    extra.check(graph, plan, at);
    return plan;
  }
}
