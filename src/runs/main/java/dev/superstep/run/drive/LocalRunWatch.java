package dev.superstep.run.drive;

import dev.superstep.checkpoint.row.StoredStatus;
import dev.superstep.run.EventView;
import dev.superstep.run.RunWatch;
import dev.superstep.run.stream.CommitNotifier;
import dev.superstep.run.stream.CommitNotifier.About;
import dev.superstep.run.stream.CommitNotifier.Awaited;
import dev.superstep.run.stream.CommitNotifier.Pace;
import dev.superstep.run.stream.LiveEventBus;
import dev.superstep.run.stream.RemoteWatches;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Waits for notifications of this process, and polls runs that other replicas drive.
@Component
class LocalRunWatch implements RunWatch {
  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration WITHOUT_HINTS = Duration.ofMillis(300);

  private final JdbcClient jdbc;
  private final CommitNotifier commitNotifier;
  private final LiveEventBus liveEventBus;
  private final RemoteWatches remoteWatches;
  private final LocalRuns localRuns;
  private final Duration withHints;

  LocalRunWatch(
      JdbcClient jdbc,
      CommitNotifier commitNotifier,
      LiveEventBus liveEventBus,
      RemoteWatches remoteWatches,
      LocalRuns localRuns,
      RunSettings settings) {
    this.jdbc = jdbc;
    this.commitNotifier = commitNotifier;
    this.liveEventBus = liveEventBus;
    this.remoteWatches = remoteWatches;
    this.localRuns = localRuns;
    this.withHints = settings.watchPoll();
  }

  @Override
  public void awaitRest(String run, BooleanSupplier unwanted, Duration atMost)
      throws InterruptedException {
    commitNotifier.await(
        new Awaited(run, About.REST),
        () -> unwanted.getAsBoolean() || atRest(run),
        atMost,
        pace(run));
  }

  /// A run that is driven here notifies by itself. For others another replica is asked to notify;
  /// since the run may come to rest before that request arrives, the first polls follow soon.
  private Pace pace(String run) {
    return new Pace() {
      private Duration last = FIRST.dividedBy(2);

      @Override
      public Duration next() {
        boolean drivenHere = localRuns.drives(run);
        if (!drivenHere) {
          remoteWatches.watch(run);
        }
        var most = drivenHere || remoteWatches.isListening() ? withHints : WITHOUT_HINTS;
        var doubled = last.multipliedBy(2);
        last = doubled.compareTo(most) < 0 ? doubled : most;
        return last;
      }
    };
  }

  private boolean atRest(String run) {
    return jdbc.sql("select status from run where id = ?")
        .param(run)
        .query(String.class)
        .optional()
        .map(it -> StoredStatus.read(it).atRest())
        .orElse(true);
  }

  @Override
  public void awaitEvents(String run, long seq, BooleanSupplier unwanted, Duration atMost)
      throws InterruptedException {
    commitNotifier.await(
        new Awaited(run, About.EVENTS),
        () -> unwanted.getAsBoolean() || hasEvents(run, seq),
        atMost,
        pace(run));
  }

  @Override
  public void lookAgain(String run) {
    commitNotifier.notify(run);
  }

  private boolean hasEvents(String run, long seq) {
    return jdbc.sql("select event_seq > ? from run where id = ?")
        .params(seq, run)
        .query(Boolean.class)
        .optional()
        .orElse(true);
  }

  @Override
  public Subscription listen(String run, Consumer<EventView> listener) {
    return liveEventBus.add(run, listener);
  }

  @Override
  public Subscription keepTexts(String run) {
    return liveEventBus.keepTexts(run);
  }
}
