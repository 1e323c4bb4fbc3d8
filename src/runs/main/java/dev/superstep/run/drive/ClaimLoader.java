package dev.superstep.run.drive;

import dev.superstep.checkpoint.row.RunImages;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.SuperstepLoop;
import dev.superstep.engine.run.RunError;
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
    var image =
        claim
            .image()
            .orElseGet(() ->
                images
                    .load(claim.header(), claim.lease(), graph.program().graph())
                    .with(claim.before()));
    localRun
        .store()
        .map(loop::through)
        .orElse(loop)
        .drive(graph.program(), image, localRun.inbox());
  }

  private static RunError poison(Claim claim) {
    return RunError.of(
        "poison_run",
        "what drove the run ended %d times in succession, with nothing committed in between, the"
                .formatted(claim.takeovers())
            + " last time with no other suspect beside it; resume it once the cause is known");
  }
}
