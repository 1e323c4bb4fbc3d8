package dev.superstep.run;

import dev.superstep.run.Signals.About;
import dev.superstep.run.Signals.Awaited;
import dev.superstep.run.Signals.Pace;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Waits for signals of this process, and looks now and then at runs driven elsewhere.
@Component
class LocalRunWatch implements RunWatch {
  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration WITHOUT_HINTS = Duration.ofMillis(300);

  private final JdbcClient jdbc;
  private final Signals signals;
  private final Listeners listeners;
  private final Elsewhere elsewhere;
  private final Drivers drivers;
  private final Duration withHints;

  // Whom it has to ask is as varied as where runs can be.
  @SuppressWarnings("checkstyle:ParameterNumber")
  LocalRunWatch(
      JdbcClient jdbc,
      Signals signals,
      Listeners listeners,
      Elsewhere elsewhere,
      Drivers drivers,
      RunSettings settings) {
    this.jdbc = jdbc;
    this.signals = signals;
    this.listeners = listeners;
    this.elsewhere = elsewhere;
    this.drivers = drivers;
    this.withHints = settings.watchPoll();
  }

  @Override
  public void awaitRest(String run, Duration atMost) throws InterruptedException {
    signals.await(new Awaited(run, About.REST), () -> atRest(run), atMost, pace(run));
  }

  /// A run that is driven here tells by itself. For others a hint is asked for; since the run may
  /// have come to rest before the question arrived, the first looks follow soon.
  private Pace pace(String run) {
    return new Pace() {
      private Duration last = FIRST.dividedBy(2);

      @Override
      public Duration next() {
        boolean told = drivers.drives(run);
        if (!told) {
          elsewhere.watch(run);
        }
        var most = told || elsewhere.heard() ? withHints : WITHOUT_HINTS;
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
    signals.await(
        new Awaited(run, About.EVENTS),
        () -> unwanted.getAsBoolean() || hasEvents(run, seq),
        atMost,
        pace(run));
  }

  @Override
  public void lookAgain(String run) {
    signals.heard(run);
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
    return listeners.add(run, listener);
  }
}
