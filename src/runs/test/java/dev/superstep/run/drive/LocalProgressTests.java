package dev.superstep.run.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.SampleRun;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Spending;
import dev.superstep.graph.Limits;
import dev.superstep.run.RunSummary;
import dev.superstep.run.RunSummary.Origin;
import dev.superstep.run.RunSummary.Settings;
import dev.superstep.run.RunSummary.Standing;
import dev.superstep.run.RunSummary.Times;
import dev.superstep.run.RunView;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocalProgressTests {
  private final SampleRun run = SampleRun.of("run");
  private final LocalProgress progress = new LocalProgress(initial(), it -> it);

  private RunView initial() {
    var origin =
        new Origin(
            run.id(),
            "sample",
            1,
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    var standing = new Standing(RunStatus.RUNNING, 0, 0, Optional.empty(), Optional.empty());
    var times = new Times(SampleRun.THEN, Optional.empty(), Optional.empty(), Optional.empty());
    return new RunView(
        new RunSummary(origin, standing, new Settings(Limits.NONE, 0), times),
        ObjectValue.empty(),
        ObjectValue.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        Spending.NOTHING);
  }

  private Optional<RunView> now(LocalProgress of) throws InterruptedException {
    return of.await(Duration.ZERO);
  }

  /// I12: the driver that has held the run may report its hold behind the answer to it.
  @Test
  void passesOverWhatAnEarlierDriverReports() throws Exception {
    var asks = run.hold(RunStatus.INTERRUPTED, 0, run.asks(run.task(SampleRun.A), run.id()));
    progress.committed(asks, SampleRun.THEN, _ -> {});
    var behind = LocalProgress.answered(now(progress).orElseThrow(), progress.output());

    behind.committed(asks, SampleRun.THEN, _ -> {});
    assertThat(now(behind)).isEmpty();

    var again = run.hold(RunStatus.INTERRUPTED, 1, run.asks(run.task(SampleRun.A), "again"));
    behind.committed(again, SampleRun.THEN, _ -> {});
    assertThat(now(behind).orElseThrow().interrupts())
        .singleElement()
        .satisfies(it -> assertThat(it.id()).isEqualTo("again"));
  }

  /// Who waits may answer at once, and is to find the run that is kept for the answer.
  @Test
  void showsARunThatRestsOnceItIsKept() throws Exception {
    var shown = new ArrayList<Optional<RunView>>();
    var asks = run.hold(RunStatus.INTERRUPTED, 0, run.asks(run.task(SampleRun.A), "a"));

    progress.committed(
        asks,
        SampleRun.THEN,
        it -> {
          assertThat(it.asks()).isPresent();
          shown.add(awaited(it));
        });

    assertThat(shown).containsExactly(Optional.empty());
    assertThat(now(progress)).isPresent();
  }

  private Optional<RunView> awaited(LocalProgress of) {
    try {
      return now(of);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void showsNothingIfSomethingElseHoldsTheRunToo() throws Exception {
    var asks = run.asks(run.task(SampleRun.A), "a");
    var other = run.asks(run.task(SampleRun.B), "b");

    progress.committed(run.hold(RunStatus.INTERRUPTED, 0, asks, other), SampleRun.THEN, _ -> {});

    assertThat(progress.asks()).isEmpty();
  }
}
