package dev.superstep.compute;

import dev.superstep.settings.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How much processor time single requests get.
///
/// @param threadsMax threads for it; 0 is one for each processor
/// @param queueMax requests that wait for one of them; the next is refused with 503
/// @param deadline processor time of one request, and the time it waits for a thread
/// @param inlineMax bytes up to which a body is parsed and checked where it was received
@ConfigurationProperties("superstep.compute")
record ComputeSettings(
    @DefaultValue("0") int threadsMax,
    @DefaultValue("64") int queueMax,
    @DefaultValue("30s") Duration deadline,
    @DefaultValue("65536") int inlineMax) {
  ComputeSettings {
    new Setting("superstep.compute.threads-max").within(0, 1_024, threadsMax);
    new Setting("superstep.compute.queue-max").within(0, 100_000, queueMax);
    new Setting("superstep.compute.deadline")
        .within(Duration.ofMillis(100), Duration.ofMinutes(10), deadline);
    new Setting("superstep.compute.inline-max").within(0, 1 << 30, inlineMax);
  }

  int threads() {
    return threadsMax == 0 ? Runtime.getRuntime().availableProcessors() : threadsMax;
  }
}
