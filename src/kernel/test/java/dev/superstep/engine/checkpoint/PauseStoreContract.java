package dev.superstep.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.SampleRun;
import dev.superstep.engine.StoreBackend;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What every checkpoint store promises of pauses (E38).
public abstract class PauseStoreContract extends StepStoreContract {
  private StoreBackend backend;
  private CheckpointStore store;
  private SampleRun run;
  private Lease lease;

  @BeforeEach
  void startARunToPause() {
    backend = backend();
    store = backend.store();
    run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    lease = claim().lease();
  }

  private LoadedRun claim() {
    return backend.claim(run.id(), run.graph);
  }

  /// E38: no commit has a run go on that is to pause, and none pauses one that is not.
  @Test
  void pausesARunIfThatIsAsked() {
    assertThat(store.commit(lease, paused(run.step("no"))))
        .isInstanceOf(CommitResult.PauseChanged.class);
    run = SampleRun.of(run.id());
    backend.pause(run.id(), 0);

    assertThat(store.commit(lease, run.step("one"))).isInstanceOf(CommitResult.PauseChanged.class);
    assertThat(store.signals(lease).pausesBehind(0)).isTrue();
    run = SampleRun.of(run.id());
    assertThat(store.commit(lease, paused(run.step("one"))))
        .isInstanceOf(CommitResult.Committed.class);

    var image = claim();
    assertThat(image.head().breakpoint().orElseThrow().isPause()).isTrue();
    assertThat(image.signals().pausesBehind(1)).isFalse();
  }

  @Test
  void pausesARunBehindASuperstep() {
    backend.pause(run.id(), 2);

    assertThat(store.commit(lease, run.step("one"))).isInstanceOf(CommitResult.Committed.class);
    var went = run.last().stamp().at();
    var second = run.step("two").continuedAt(went);
    assertThat(store.commit(lease, List.of(second, run.step("three"))))
        .isInstanceOf(CommitResult.PauseChanged.class);
    assertThat(claim().checkpoint().number()).isEqualTo(1);
  }

  /// What a driver had behind it before it knew of the pause is not done again.
  @Test
  void commitsWhatWasDoneBeforeThePauseWasKnown() {
    backend.pause(run.id(), 0);
    var went = run.last().stamp().at();
    var commits = List.of(run.step("one").continuedAt(went), run.step("two").continuedAt(went));

    assertThat(store.commit(lease, commits)).isInstanceOf(CommitResult.PauseChanged.class);
    assertThat(store.commit(lease, List.of(commits.getFirst(), commits.getLast().passingPause())))
        .isInstanceOf(CommitResult.Committed.class);

    assertThat(store.commit(lease, run.step("three")))
        .isInstanceOf(CommitResult.PauseChanged.class);
    assertThat(claim().checkpoint().number()).isEqualTo(2);
  }

  /// A question, a wait and a breakpoint of the graph stop it no longer than until they are over.
  @ParameterizedTest
  @EnumSource(
      value = RunStatus.class,
      names = {"WAITING", "INTERRUPTED"})
  void holdsNoRunThatIsToPause(RunStatus status) {
    backend.pause(run.id(), 0);
    var hold = run.hold(status, 0, run.asks(run.task(SampleRun.A), run.id()));

    assertThat(store.commit(lease, hold)).isInstanceOf(CommitResult.PauseChanged.class);
    assertThat(store.commit(lease, stopped(hold, "before")))
        .isInstanceOf(CommitResult.PauseChanged.class);
    assertThat(store.commit(lease, paused(hold))).isInstanceOf(CommitResult.Committed.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = RunStatus.class,
      names = {"FAILED", "QUEUED", "CANCELLED"})
  void letsARunThatIsToPauseGo(RunStatus status) {
    backend.pause(run.id(), 0);

    assertThat(store.commit(lease, run.onlyHead(run.head(status), "run.over")))
        .isInstanceOf(CommitResult.Committed.class);
  }

  @Test
  void letsARunSucceedThatIsToPause() {
    backend.pause(run.id(), 0);

    assertThat(store.commit(lease, run.finish(run.done(run.task(SampleRun.A), "one"))))
        .isInstanceOf(CommitResult.Committed.class);
  }

  private static Commit paused(Commit commit) {
    return stopped(commit, RunHead.Breakpoint.PAUSE);
  }

  private static Commit stopped(Commit commit, String when) {
    var head = commit.head();
    var pause = new RunHead.Breakpoint(when, List.of("a"));
    return new Commit(
        commit.parent(),
        commit.checkpoint(),
        new RunHead(
            RunStatus.INTERRUPTED,
            head.superstep(),
            Optional.empty(),
            Optional.of(pause),
            Optional.empty(),
            head.passed(),
            head.elapsed()),
        List.of(),
        commit.answersSeen());
  }
}
