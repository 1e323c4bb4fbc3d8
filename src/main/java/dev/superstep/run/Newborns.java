package dev.superstep.run;

import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.Checkpoint;
import dev.superstep.engine.CheckpointKind;
import dev.superstep.engine.Head;
import dev.superstep.engine.Lease;
import dev.superstep.engine.News;
import dev.superstep.engine.RunImage;
import dev.superstep.engine.RunStatus;
import dev.superstep.run.Births.Newborn;
import dev.superstep.run.Claims.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Runs that were just born here, as their driver would find them in the database.
@Component
class Newborns {
  static final int FIRST_EPOCH = 1;

  private final GraphRegistry graphs;

  Newborns(GraphRegistry graphs) {
    this.graphs = graphs;
  }

  /// The claim that the birth was.
  Claim claim(Newborn newborn, Instant bornAt) {
    var lease = new Lease(newborn.id(), FIRST_EPOCH);
    var parent = Optional.ofNullable(newborn.origin().parentRun());
    var image = image(newborn, lease, bornAt);
    var origin = newborn.origin();
    var thread = Optional.ofNullable(origin.threadId());
    return new Claim(
        newborn.header(), lease, 0, RunStatus.QUEUED, image, parent, thread, origin.caller());
  }

  /// Empty if the stored run says more than what is known here.
  private Optional<RunImage> image(Newborn newborn, Lease lease, Instant bornAt) {
    var first = newborn.first().after();
    boolean timed =
        first.context().map(it -> it.times().size() == it.history().size()).orElse(true);
    if (first.stamp().kind() != CheckpointKind.INPUT || !timed) {
      return Optional.empty();
    }
    var asked = newborn.asked();
    var head =
        new Head(
            RunStatus.QUEUED,
            first.superstep(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Head.Passed.NONE,
            Duration.ZERO);
    var own = graph(newborn).program().graph().settings().breakpoints();
    return Optional.of(
        new RunImage(
            newborn.header(),
            lease,
            at(first, bornAt),
            asked.limits(),
            asked.breakpoints().isEmpty() ? own : asked.breakpoints(),
            head,
            News.NONE,
            -1));
  }

  private static Checkpoint at(Checkpoint first, Instant bornAt) {
    var stamp = first.stamp();
    return new Checkpoint(
        new Checkpoint.Stamp(stamp.number(), stamp.kind(), stamp.superstep(), bornAt),
        first.state(),
        first.context(),
        first.pending(),
        first.held(),
        first.edits());
  }

  private Compiled graph(Newborn newborn) {
    return graphs.compiled(newborn.origin().graph(), newborn.origin().version());
  }
}
