package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.run.PauseService;
import dev.superstep.run.store.RunFinder;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Pauses implements PauseService {
  private final Pauser pauser;
  private final Resumer resumer;
  private final RunFinder runFinder;
  private final AuditLog audit;

  Pauses(Pauser pauser, Resumer resumer, RunFinder runFinder, AuditLog audit) {
    this.pauser = pauser;
    this.resumer = resumer;
    this.runFinder = runFinder;
    this.audit = audit;
  }

  @Override
  @Transactional
  public void pause(String run) {
    if (runFinder.input(run).continuesThread()) {
      throw RunFinder.notFound(run); // it waits to go on with its thread, and may become no run
    }
    if (pauser.pause(run)) {
      audit.record(AuditAction.RUN_PAUSE, run);
    }
  }

  @Override
  public void step(String run) {
    audit.recorded(AuditAction.RUN_STEP, run, () -> resumer.step(run));
  }
}
