package dev.superstep.run.start;

import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.queue.RunClaims.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Builds the claim of a run inserted by this process without reading it back.
@Component
public class LocalClaims {
  private final GraphRegistry graphs;

  LocalClaims(GraphRegistry graphs) {
    this.graphs = graphs;
  }

  /// The claim that the insert implies, which took place at `insertedAt`.
  public Claim claim(RunInsert inserted, Instant insertedAt) {
    var newRun = inserted.newRun();
    var lease = new Lease(newRun.id(), inserted.epoch());
    var parent = Optional.ofNullable(newRun.origin().parentRun());
    var header = inserted.header();
    var image = image(newRun, header, lease, insertedAt);
    var origin = newRun.origin();
    var thread = Optional.ofNullable(origin.threadId());
    return new Claim(header, lease, 0, RunStatus.QUEUED, image, parent, thread, origin.caller());
  }

  /// Empty if the stored run contains more than is known here.
  private Optional<LoadedRun> image(
      NewRun newRun, RunHeader header, Lease lease, Instant insertedAt) {
    var first = newRun.first().after();
    boolean timed =
        first.context().map(it -> it.times().size() == it.history().size()).orElse(true);
    if (first.stamp().kind() != CheckpointKind.INPUT || !timed) {
      return Optional.empty();
    }
    var asked = newRun.asked();
    var runHead =
        new RunHead(
            RunStatus.QUEUED,
            first.superstep(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            RunHead.Passed.NONE,
            Duration.ZERO);
    var own = graph(newRun).program().graph().settings().breakpoints();
    return Optional.of(
        new LoadedRun(
            header,
            lease,
            at(first, lease, insertedAt),
            asked.limits(),
            asked.breakpoints().isEmpty() ? own : asked.breakpoints(),
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

  private Compiled graph(NewRun newRun) {
    return graphs.compiled(newRun.origin().graph(), newRun.origin().version());
  }
}
