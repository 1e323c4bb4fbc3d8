package dev.superstep.compute;

import java.time.Duration;
import org.springframework.util.unit.DataSize;

/// Requests that have done most of the work that one may cost.
public final class SpentRequests {
  private SpentRequests() {}

  public static RequestWork left(long steps) {
    var settings = new ComputeSettings(1, 1, Duration.ofSeconds(1), 100, DataSize.ofMegabytes(1));
    var work = new RequestWork(new ReadMemory(settings), () -> "");
    work.accept(RequestWork.STEPS_MAX - steps);
    return work;
  }
}
