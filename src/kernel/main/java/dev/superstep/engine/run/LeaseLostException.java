package dev.superstep.engine.run;

/// Another replica owns the run now; this one must drop it without writing.
public final class LeaseLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LeaseLostException(Lease lease) {
    super("run %s was taken over (epoch %d is over)".formatted(lease.run(), lease.epoch()));
  }
}
