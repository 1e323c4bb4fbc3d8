package dev.superstep.run.start;

import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.budget.Spending;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.request.Callers;
import dev.superstep.run.check.LimitsInForce;
import dev.superstep.run.drive.LocalProgress;
import dev.superstep.run.query.RunDetails;
import dev.superstep.run.view.RunSummary;
import dev.superstep.run.view.RunSummary.Origin;
import dev.superstep.run.view.RunSummary.Parent;
import dev.superstep.run.view.RunSummary.Settings;
import dev.superstep.run.view.RunSummary.Standing;
import dev.superstep.run.view.RunSummary.Times;
import dev.superstep.run.view.RunView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Builds the view of a run inserted by this process without reading it back.
@Component
class NewRunViews {
  private final GraphRegistry graphs;
  private final LimitsInForce limits;

  NewRunViews(GraphRegistry graphs, LimitsInForce limits) {
    this.graphs = graphs;
    this.limits = limits;
  }

  LocalProgress progress(NewRun newRun, Instant insertedAt) {
    var origin = newRun.origin();
    var graph = graphs.compiled(origin.graph(), origin.version());
    return new LocalProgress(view(newRun, insertedAt), it -> RunDetails.output(graph, it));
  }

  private RunView view(NewRun newRun, Instant insertedAt) {
    var origin = newRun.origin();
    var first = newRun.first().after();
    var standing =
        new Standing(
            RunStatus.RUNNING,
            first.superstep(),
            first.number(),
            Optional.empty(),
            Optional.empty());
    var own = newRun.asked().limits();
    var settings =
        new Settings(limits.of(origin.graph(), origin.version(), own), origin.priority());
    var times = new Times(insertedAt, Optional.of(insertedAt), Optional.empty(), Optional.empty());
    var summary = new RunSummary(origin(newRun), standing, settings, times);
    return new RunView(
        summary,
        newRun.input(),
        newRun.asked().params(),
        Optional.empty(),
        List.of(),
        List.of(),
        Spending.NOTHING);
  }

  private static Origin origin(NewRun newRun) {
    var origin = newRun.origin();
    var parent = origin.parentRun();
    var checkpoint = origin.parentCheckpoint();
    return new Origin(
        newRun.id(),
        origin.graph(),
        origin.version(),
        Optional.ofNullable(origin.threadId()),
        newRun.asked().metadata(),
        parent == null || checkpoint == null
            ? Optional.empty()
            : Optional.of(new Parent(parent, checkpoint, Optional.empty())),
        newRun.from(),
        Callers.named(origin.caller()));
  }
}
