package dev.superstep.engine;

/// Drives claimed runs: plan, run, wait at the barrier, commit, repeat (E10).
///
/// Whoever claims a run stores `run.started`, `run.resumed` or `run.taken_over` with the claim; all
/// later events of the run come from here. Node calls are at-least-once, commits are exactly-once.
public final class SuperstepLoop {
  private final Ports ports;
  private final EngineLimits limits;

  public SuperstepLoop(Ports ports, EngineLimits limits) {
    this.ports = ports;
    this.limits = limits;
  }

  /// Drives a run until it is at rest, parked or handed back, on the calling thread.
  ///
  /// @param inbox only for this run and this claim
  /// @return the status as committed
  /// @throws LeaseLostException if another replica has claimed the run; nothing may be written then
  /// @throws InterruptedException if the thread was interrupted: the run stays as last committed
  public RunStatus drive(Program program, RunImage image, Inbox inbox) throws InterruptedException {
    ports.store().open(image);
    try {
      return new RunDriver(ports, limits, program, image, inbox).drive();
    } finally {
      ports.store().close(image.lease());
    }
  }
}
