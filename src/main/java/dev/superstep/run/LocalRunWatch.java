package dev.superstep.run;

import dev.superstep.engine.RunStatus;
import dev.superstep.run.Signals.About;
import dev.superstep.run.Signals.Awaited;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Waits for signals of this process, and looks now and then at runs driven elsewhere.
@Component
class LocalRunWatch implements RunWatch {
  private static final Duration POLL = Duration.ofMillis(300);

  private final JdbcClient jdbc;
  private final Signals signals;
  private final Listeners listeners;

  LocalRunWatch(JdbcClient jdbc, Signals signals, Listeners listeners) {
    this.jdbc = jdbc;
    this.signals = signals;
    this.listeners = listeners;
  }

  @Override
  public void awaitRest(String run, Duration atMost) throws InterruptedException {
    signals.await(new Awaited(run, About.REST), () -> atRest(run), atMost, POLL);
  }

  private boolean atRest(String run) {
    return jdbc.sql("select status from run where id = ?")
        .param(run)
        .query(String.class)
        .optional()
        .map(it -> RunStatus.valueOf(it.toUpperCase(Locale.ROOT)).atRest())
        .orElse(true);
  }

  @Override
  public void awaitEvents(String run, long seq, Duration atMost) throws InterruptedException {
    signals.await(new Awaited(run, About.EVENTS), () -> hasEvents(run, seq), atMost, POLL);
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
