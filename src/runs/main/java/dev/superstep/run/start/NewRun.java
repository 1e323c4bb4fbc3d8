package dev.superstep.run.start;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.checkpoint.row.RunOrigin;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Spending;
import dev.superstep.problem.Callers;
import dev.superstep.run.RunSummary;
import dev.superstep.run.RunSummary.Origin;
import dev.superstep.run.RunSummary.Parent;
import dev.superstep.run.RunSummary.Settings;
import dev.superstep.run.RunSummary.Standing;
import dev.superstep.run.RunSummary.Times;
import dev.superstep.run.RunView;
import dev.superstep.run.check.LimitsInForce;
import dev.superstep.run.drive.LocalProgress;
import dev.superstep.run.drive.RunClaims.Claim;
import dev.superstep.run.query.RunDetails;
import dev.superstep.run.store.RunInputEntity.RequestedStart;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A run to be inserted.
///
/// @param first its first checkpoint
/// @param from the checkpoint of its thread from whose state that was made; empty: none
record NewRun(
    RunHeader header,
    RunOrigin origin,
    ObjectValue input,
    RequestedStart requested,
    Commit.Write first,
    Optional<CheckpointRef> from) {
  public String id() {
    return header.id();
  }

  /// Its view, inserted at `insertedAt` by this process, without reading it back.
  LocalProgress progress(GraphRegistry graphs, LimitsInForce limits, Instant insertedAt) {
    var graph = graph(graphs);
    return new LocalProgress(view(limits, insertedAt), it -> RunDetails.output(graph, it));
  }

  private RunView view(LimitsInForce limits, Instant insertedAt) {
    var created = first.after();
    var standing =
        new Standing(
            RunStatus.RUNNING,
            created.superstep(),
            created.number(),
            Optional.empty(),
            Optional.empty());
    var own = requested.limits();
    var settings =
        new Settings(limits.of(origin.graph(), origin.version(), own), origin.priority());
    var times = new Times(insertedAt, Optional.of(insertedAt), Optional.empty(), Optional.empty());
    var summary = new RunSummary(summaryOrigin(), standing, settings, times);
    return new RunView(
        summary,
        input,
        requested.params(),
        Optional.empty(),
        List.of(),
        List.of(),
        Spending.NOTHING);
  }

  private Origin summaryOrigin() {
    var parent = origin.parentRun();
    var checkpoint = origin.parentCheckpoint();
    return new Origin(
        id(),
        origin.graph(),
        origin.version(),
        Optional.ofNullable(origin.threadId()),
        requested.metadata(),
        parent == null || checkpoint == null
            ? Optional.empty()
            : Optional.of(new Parent(parent, checkpoint, Optional.empty())),
        from,
        Callers.named(origin.caller()));
  }

  /// The claim that its insert by this process implies, which took place at `insertedAt`.
  ///
  /// @param stored its header as inserted
  Claim claim(RunHeader stored, Lease lease, Instant insertedAt, GraphRegistry graphs) {
    var parent = Optional.ofNullable(origin.parentRun());
    var thread = Optional.ofNullable(origin.threadId());
    var image = image(stored, lease, insertedAt, graphs);
    return new Claim(stored, lease, 0, RunStatus.QUEUED, image, parent, thread, origin.caller());
  }

  /// Empty if the stored run contains more than is known here.
  private Optional<LoadedRun> image(
      RunHeader stored, Lease lease, Instant insertedAt, GraphRegistry graphs) {
    var created = first.after();
    boolean timed =
        created.context().map(it -> it.times().size() == it.history().size()).orElse(true);
    if (created.stamp().kind() != CheckpointKind.INPUT || !timed) {
      return Optional.empty();
    }
    var runHead =
        new RunHead(
            RunStatus.QUEUED,
            created.superstep(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            RunHead.Passed.NONE,
            Duration.ZERO);
    var own = graph(graphs).program().graph().settings().breakpoints();
    return Optional.of(
        new LoadedRun(
            stored,
            lease,
            at(created, lease, insertedAt),
            requested.limits(),
            requested.breakpoints().isEmpty() ? own : requested.breakpoints(),
            runHead,
            RunSignals.NONE,
            -1));
  }

  private static Checkpoint at(Checkpoint first, Lease lease, Instant insertedAt) {
    var stamp = first.stamp();
    return new Checkpoint(
        new Checkpoint.Stamp(
            stamp.number(), stamp.kind(), stamp.superstep(), insertedAt, lease.era()),
        first.state(),
        first.context(),
        first.pending(),
        first.held(),
        first.edits());
  }

  private Compiled graph(GraphRegistry graphs) {
    return graphs.compiled(origin.graph(), origin.version());
  }
}
