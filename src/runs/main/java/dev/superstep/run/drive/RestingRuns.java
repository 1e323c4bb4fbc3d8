package dev.superstep.run.drive;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.database.HistoryChanged;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Lease;
import dev.superstep.graph.Limits;
import dev.superstep.run.RunView;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/// Keeps the views of runs that have stopped here to ask, for a while, so that the client who
/// answers is shown the run without reading it back. It is bounded by the size of the views, and
/// holds no state of a run.
@Component
public class RestingRuns {
  private static final long BYTES_MAX = 16L << 20;
  private static final long RUN_BYTES_MAX = BYTES_MAX / 16;
  private static final int OVERHEAD_BYTES = 2048;
  private static final int ENTRY_BYTES = 64;
  private static final Duration AGE_MAX = Duration.ofMinutes(10);

  private final Cache<String, Resting> resting =
      Caffeine.newBuilder()
          .maximumWeight(BYTES_MAX)
          .weigher((String _, Resting it) -> it.bytes())
          .expireAfterWrite(AGE_MAX)
          .build();

  /// @param epoch of the driver that has brought it to rest
  /// @param output computes its output from its final state
  private record Resting(
      long epoch, RunView asks, Function<ObjectValue, Value> output, int bytes) {}

  /// A run as the claim that follows an answer has found it.
  ///
  /// @param lease of the claim
  /// @param limits those in force
  public record ClaimedRun(Lease lease, int checkpoint, Instant createdAt, Limits limits) {
    private boolean isOf(RunView asks) {
      var summary = asks.summary();
      return summary.standing().checkpoint() == checkpoint
          && summary.times().createdAt().equals(createdAt)
          && summary.settings().limits().equals(limits);
    }
  }

  @EventListener
  void forget(HistoryChanged changed) {
    resting.invalidateAll();
  }

  /// Keeps the run if it asks and nothing else.
  void keep(Lease lease, LocalProgress progress) {
    progress
        .asks()
        .ifPresent(asks -> {
          long bytes = bytes(asks);
          if (bytes <= RUN_BYTES_MAX) {
            resting.put(
                lease.run(), new Resting(lease.epoch(), asks, progress.output(), (int) bytes));
          }
        });
  }

  private static long bytes(RunView asks) {
    long bytes = OVERHEAD_BYTES + Canonical.size(asks.input()) + Canonical.size(asks.params());
    for (var entry : asks.summary().origin().metadata().entrySet()) {
      bytes += ENTRY_BYTES + entry.getKey().length() + entry.getValue().length();
    }
    for (var node : asks.spent().nodes().keySet()) {
      bytes += ENTRY_BYTES + node.value().length();
    }
    for (var interrupt : asks.interrupts()) {
      bytes += bytes(interrupt.question());
    }
    return bytes;
  }

  private static long bytes(TaskRecord.Interrupt question) {
    return question.reason().length()
        + Canonical.size(question.payload())
        + question.schema().map(Canonical::size).orElse(0L)
        + question.defaultAnswer().map(Canonical::size).orElse(0L);
  }

  /// A run that asks one question, and is held by nothing else, as this process has left it.
  ///
  /// @param epoch of its last lease
  public record AskingRun(long epoch, RunView view) {
    public StoredInterrupt question() {
      return view.interrupts().getFirst();
    }
  }

  public Optional<AskingRun> find(String run) {
    return Optional.ofNullable(resting.getIfPresent(run))
        .filter(_ -> Tenant.admits(run))
        .map(it -> new AskingRun(it.epoch(), it.asks()));
  }

  /// Follows the run on behind the answer to what it asked, if nobody has claimed or edited it
  /// since it asked.
  public Optional<LocalProgress> goOn(ClaimedRun claimed) {
    return Optional.ofNullable(resting.asMap().remove(claimed.lease().run()))
        .filter(it -> it.epoch() + 1 == claimed.lease().epoch() && claimed.isOf(it.asks()))
        .map(it -> LocalProgress.answered(it.asks(), it.output()));
  }
}
