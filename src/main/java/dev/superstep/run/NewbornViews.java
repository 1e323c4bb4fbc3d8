package dev.superstep.run;

import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.RunStatus;
import dev.superstep.engine.Spending;
import dev.superstep.run.Births.Newborn;
import dev.superstep.run.RunSummary.Origin;
import dev.superstep.run.RunSummary.Parent;
import dev.superstep.run.RunSummary.Settings;
import dev.superstep.run.RunSummary.Standing;
import dev.superstep.run.RunSummary.Times;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Runs that were just born here, as their clients would find them in the database.
@Component
class NewbornViews {
  private final GraphRegistry graphs;
  private final LimitsInForce limits;

  NewbornViews(GraphRegistry graphs, LimitsInForce limits) {
    this.graphs = graphs;
    this.limits = limits;
  }

  LocalProgress progress(Newborn newborn, Instant bornAt) {
    var origin = newborn.origin();
    var graph = graphs.compiled(origin.graph(), origin.version());
    return new LocalProgress(view(newborn, bornAt), it -> RunDetails.output(graph, it));
  }

  private RunView view(Newborn newborn, Instant bornAt) {
    var origin = newborn.origin();
    var first = newborn.first().after();
    var standing =
        new Standing(
            RunStatus.RUNNING,
            first.superstep(),
            first.number(),
            Optional.empty(),
            Optional.empty());
    var own = newborn.asked().limits();
    var settings =
        new Settings(
            limits.of(origin.graph(), origin.version(), own),
            origin.priority(),
            origin.durability());
    var times = new Times(bornAt, Optional.of(bornAt), Optional.empty(), Optional.empty());
    var summary = new RunSummary(origin(newborn), standing, settings, times);
    return new RunView(
        summary, newborn.input(), Optional.empty(), List.of(), List.of(), Spending.NOTHING);
  }

  private static Origin origin(Newborn newborn) {
    var origin = newborn.origin();
    var parent = origin.parentRun();
    var checkpoint = origin.parentCheckpoint();
    return new Origin(
        newborn.id(),
        origin.graph(),
        origin.version(),
        Optional.ofNullable(origin.threadId()),
        newborn.asked().metadata(),
        parent == null || checkpoint == null
            ? Optional.empty()
            : Optional.of(new Parent(parent, checkpoint, Optional.empty())));
  }
}
