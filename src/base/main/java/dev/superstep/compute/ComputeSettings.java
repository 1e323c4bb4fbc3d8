package dev.superstep.compute;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// How much processor time single requests get, and how much memory all of them together.
///
/// @param threadsMax threads for it, and twice as many as large reads at a time, of which there are
///   four at most; 0 is one for each processor
/// @param queueMax requests that wait for one of them; the next is refused with 503
/// @param deadline processor time of one request, and the time it waits for a thread
/// @param inlineMax bytes up to which a body is parsed and checked where it was received
/// @param readMax memory for what requests read from the database; 0 is a quarter of the heap
@ConfigurationProperties("superstep.compute")
record ComputeSettings(
    @DefaultValue("0") int threadsMax,
    @DefaultValue("64") int queueMax,
    @DefaultValue("30s") Duration deadline,
    @DefaultValue("65536") int inlineMax,
    @DefaultValue("0B") DataSize readMax) {
  private static final int HEAP_PART = 4;
  private static final DataSize READ_MIN = DataSize.ofMegabytes(1);

  ComputeSettings {
    new Setting("superstep.compute.threads-max").within(0, 1_024, threadsMax);
    new Setting("superstep.compute.queue-max").within(0, 100_000, queueMax);
    new Setting("superstep.compute.deadline")
        .within(Duration.ofMillis(100), Duration.ofMinutes(10), deadline);
    new Setting("superstep.compute.inline-max").within(0, 1 << 30, inlineMax);
    if (readMax.toBytes() != 0 && readMax.compareTo(READ_MIN) < 0) {
      throw new Setting("superstep.compute.read-max")
          .invalid("must be 0, a quarter of the heap, or at least 1MB");
    }
  }

  long readBytes() {
    return readMax.toBytes() == 0
        ? Runtime.getRuntime().maxMemory() / HEAP_PART
        : readMax.toBytes();
  }

  int threads() {
    return threadsMax == 0 ? Runtime.getRuntime().availableProcessors() : threadsMax;
  }
}
