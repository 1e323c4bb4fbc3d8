package dev.superstep.run;

import dev.superstep.checkpoint.RunImages;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.Head;
import dev.superstep.engine.Inbox;
import dev.superstep.engine.RunError;
import dev.superstep.engine.RunImage;
import dev.superstep.engine.RunStatus;
import dev.superstep.engine.SuperstepLoop;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.Claims.Claim;
import org.springframework.stereotype.Component;

/// Takes a claimed run from its row to the engine.
@Component
class ClaimedRuns {
  private final RunImages images;
  private final GraphRegistry graphs;
  private final SuperstepLoop loop;
  private final Failing failing;
  private final int takeoversMax;

  ClaimedRuns(
      RunImages images,
      GraphRegistry graphs,
      SuperstepLoop loop,
      Failing failing,
      RunSettings settings) {
    this.images = images;
    this.graphs = graphs;
    this.loop = loop;
    this.failing = failing;
    this.takeoversMax = settings.takeoversMax();
  }

  void drive(Claim claim, Inbox inbox) throws InterruptedException {
    if (claim.takeovers() > takeoversMax) {
      failing.fail(claim.lease(), poison(claim));
      return;
    }
    Compiled graph;
    try {
      graph = graphs.compiled(claim.header().graph(), claim.header().version());
    } catch (ServiceException e) {
      failing.fail(claim.lease(), RunError.of(e.code().code(), e.detail()));
      return;
    }
    var image = claim.image().orElseGet(() -> load(claim, graph));
    loop.drive(graph.program(), image, inbox);
  }

  private RunImage load(Claim claim, Compiled graph) {
    var image = images.load(claim.header(), claim.lease(), graph.program().graph());
    return asBefore(image, claim.before());
  }

  private static RunError poison(Claim claim) {
    return RunError.of(
        "poison_run",
        "what drove the run ended %d times in succession, with nothing committed in between, the"
                .formatted(claim.takeovers())
            + " last time with no other suspect beside it; resume it once the cause is known");
  }

  /// The engine wants to know whether the run was waiting; the claim has overwritten that.
  private static RunImage asBefore(RunImage image, RunStatus before) {
    var head = image.head();
    return new RunImage(
        image.header(),
        image.lease(),
        image.checkpoint(),
        image.limits(),
        image.breakpoints(),
        new Head(
            before,
            head.superstep(),
            head.error(),
            head.breakpoint(),
            head.wakesAt(),
            head.passed(),
            head.elapsed()),
        image.news(),
        image.releasedThrough());
  }
}
