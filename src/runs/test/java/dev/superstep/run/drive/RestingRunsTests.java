package dev.superstep.run.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.SampleRun;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Spending;
import dev.superstep.graph.Limits;
import dev.superstep.run.RunSummary;
import dev.superstep.run.RunSummary.Origin;
import dev.superstep.run.RunSummary.Settings;
import dev.superstep.run.RunSummary.Standing;
import dev.superstep.run.RunSummary.Times;
import dev.superstep.run.RunView;
import dev.superstep.run.drive.RestingRuns.ClaimedRun;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestingRunsTests {
  private static final String RUN = "run";
  private static final Lease LEASE = new Lease(RUN, 1);
  private static final String TOO_LONG = "x".repeat(1 << 20);

  private final RestingRuns resting = new RestingRuns();

  private static RunView initial(
      ObjectValue input, ObjectValue params, Map<String, String> metadata) {
    var origin =
        new Origin(
            RUN,
            "sample",
            1,
            Optional.empty(),
            metadata,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    var standing = new Standing(RunStatus.RUNNING, 0, 0, Optional.empty(), Optional.empty());
    var times = new Times(SampleRun.THEN, Optional.empty(), Optional.empty(), Optional.empty());
    return new RunView(
        new RunSummary(origin, standing, new Settings(Limits.NONE, 0), times),
        input,
        params,
        Optional.empty(),
        List.of(),
        List.of(),
        Spending.NOTHING);
  }

  /// Keeps a run that asks.
  ///
  /// @return its last checkpoint
  private Checkpoint keep(RunView initial) {
    var run = SampleRun.of(RUN);
    var progress = new LocalProgress(initial, it -> it);
    progress.committed(
        run.hold(RunStatus.INTERRUPTED, 0, run.asks(run.task(SampleRun.A), "a")),
        SampleRun.THEN,
        it -> resting.keep(LEASE, it));
    return run.last();
  }

  /// States are many times as large as what is shown of a run that asks.
  @Test
  void holdsNoState() {
    var empty = ObjectValue.empty();
    var last = new WeakReference<>(keep(initial(empty, empty, Map.of())));
    int shown = resting.find(RUN).orElseThrow().view().summary().standing().checkpoint();

    await()
        .untilAsserted(() -> {
          System.gc();
          assertThat(last.get()).isNull();
        });

    var claimed = new ClaimedRun(new Lease(RUN, 2), shown, SampleRun.THEN, Limits.NONE);
    assertThat(resting.goOn(claimed)).isPresent();
  }

  @Test
  void keepsNothingLong() {
    var empty = ObjectValue.empty();
    var large = ObjectValue.of("large", Value.of(TOO_LONG));
    var tooLong =
        List.of(
            initial(large, empty, Map.of()),
            initial(empty, large, Map.of()),
            initial(empty, empty, Map.of("large", TOO_LONG)));

    assertThat(tooLong)
        .allSatisfy(it -> {
          keep(it);
          assertThat(resting.find(RUN).isPresent()).isFalse();
        });
  }
}
