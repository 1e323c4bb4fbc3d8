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

  DefinitionReader(DefinitionLimits limits, GraphReader graphs, Reachability reachability) {
    this.form = Tables.graph(limits);
    this.graphs = graphs;
    this.reachability = reachability;
  }

  Reading read(Value document) {
    var problems = new Problems(document);
    var at = new Place("", problems);
    var definition =
        form.read(document, at).map(ObjectValue.class::cast).orElse(ObjectValue.empty());
    Optional<Plan> plan =
        document instanceof ObjectValue ? Optional.of(plan(definition, at)) : Optional.empty();
    var errors = problems.errors();
    return new Reading(definition, plan.filter(_ -> errors.isEmpty()), errors, problems.warnings());
  }

  private Plan plan(ObjectValue definition, Place at) {
    var graph = new Fields(definition);
    var plan = graphs.read(graph, at);
    reachability.check(graph, at);
    return plan;
  }
}
