package dev.superstep.run.drive;

import dev.superstep.checkpoint.row.RunImages;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.SuperstepLoop;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.drive.LocalRuns.LocalRun;
import dev.superstep.run.drive.RunClaims.Claim;
import org.springframework.stereotype.Component;

/// Loads a claimed run and hands it to the engine.
@Component
class ClaimLoader {
  private final RunImages images;
  private final GraphRegistry graphs;
  private final SuperstepLoop loop;
  private final RunFailer runFailer;
  private final int takeoversMax;

  ClaimLoader(
      RunImages images,
      GraphRegistry graphs,
      SuperstepLoop loop,
      RunFailer runFailer,
      RunSettings settings) {
    this.images = images;
    this.graphs = graphs;
    this.loop = loop;
    this.runFailer = runFailer;
    this.takeoversMax = settings.takeoversMax();
  }

  void drive(Claim claim, LocalRun localRun) throws InterruptedException {
    if (claim.takeovers() > takeoversMax) {
      runFailer.fail(claim.lease(), poison(claim));
      return;
    }
    Compiled graph;
    try {
      graph = graphs.compiled(claim.header().graph(), claim.header().version());
    } catch (ServiceException e) {
      runFailer.fail(claim.lease(), RunError.of(e.code().code(), e.detail()));
      return;
    }
    var image = claim.image().orElseGet(() -> load(claim, graph));
    localRun
        .store()
        .map(loop::through)
        .orElse(loop)
        .drive(graph.program(), image, localRun.inbox());
  }

  private LoadedRun load(Claim claim, Compiled graph) {
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

  /// The engine needs the status from before the claim, which has overwritten it.
  private static LoadedRun asBefore(LoadedRun image, RunStatus before) {
    var runHead = image.head();
    return new LoadedRun(
        image.header(),
        image.lease(),
        image.checkpoint(),
        image.limits(),
        image.breakpoints(),
        new RunHead(
            before,
            runHead.superstep(),
            runHead.error(),
            runHead.breakpoint(),
            runHead.wakesAt(),
            runHead.passed(),
            runHead.elapsed()),
        image.signals(),
        image.releasedThrough());
  }
}
