package dev.superstep.pace;

import dev.superstep.model.ModelLimits;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/// Measures the queues of models that have limits. Every replica that has called the model says the
/// same of it, as of its own last look.
@Component
class PaceMetrics {
  private final MeterRegistry meters;
  private final Map<String, Look> looks = new ConcurrentHashMap<>();

  /// @param requests share of the allowance of a minute; 0 without one
  private record Look(double waiting, double requests, double tokens) {
    static final Look NOTHING = new Look(0, 0, 0);
  }

  PaceMetrics(MeterRegistry meters) {
    this.meters = meters;
  }

  void take(List<PaceRows.QueueState> seen, Collection<PaceLane> lanes, long now) {
    for (var lane : lanes) {
      seen.stream()
          .filter(it -> it.model().equals(lane.model()))
          .forEach(it -> take(it, lane.limits(), now));
    }
  }

  private void take(PaceRows.QueueState seen, ModelLimits limits, long now) {
    seen.used().forgetUntil(now);
    var sum = seen.used().sum();
    var look =
        new Look(
            seen.waiting(),
            limits.requestsPerMinute().map(it -> (double) sum.requests() / it).orElse(0.0),
            limits.tokensPerMinute().map(it -> (double) sum.tokens() / it).orElse(0.0));
    if (looks.put(seen.model(), look) == null) {
      register(seen.model());
    }
  }

  private void register(String model) {
    Gauge.builder("superstep.model.waiting", this, it -> it.look(model).waiting())
        .description("Calls of all replicas that stand in the queue of a model")
        .tag("model", model)
        .register(meters);
    Gauge.builder("superstep.model.used", this, it -> it.look(model).requests())
        .description("Share of the allowance of a model that the last minute has used")
        .tags("model", model, "of", "requests")
        .register(meters);
    Gauge.builder("superstep.model.used", this, it -> it.look(model).tokens())
        .description("Share of the allowance of a model that the last minute has used")
        .tags("model", model, "of", "tokens")
        .register(meters);
  }

  private Look look(String model) {
    return looks.getOrDefault(model, Look.NOTHING);
  }
}
