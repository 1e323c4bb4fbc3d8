package dev.superstep.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.Inbox.Signal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LocalInboxTests {
  private static final Instant NOW = Instant.parse("2026-01-31T08:00:00Z");
  private static final Signal NUDGE = new Signal.Nudge();
  private final LocalInbox inbox = new LocalInbox(InstantSource.fixed(NOW));

  @Test
  void handsOutSignalsInTheirOrder() throws InterruptedException {
    var drain = new Signal.Drain(NOW);
    inbox.put(NUDGE);
    inbox.put(drain);

    assertThat(List.of(inbox.take(Optional.of(NOW)), inbox.take(Optional.empty())))
        .containsExactly(Optional.of(NUDGE), Optional.of(drain));
  }

  @Test
  void doesNotWaitWhenItsTimeIsUp() throws InterruptedException {
    assertThat(inbox.take(Optional.of(NOW))).isEmpty();
    assertThat(inbox.take(Optional.of(NOW.minusSeconds(1)))).isEmpty();
  }

  @Test
  void waitsUntilItsTimeIsUp() throws InterruptedException {
    var patience = Duration.ofMillis(30);
    long begun = System.nanoTime();

    assertThat(inbox.take(Optional.of(NOW.plus(patience)))).isEmpty();

    assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(patience.toNanos());
  }

  /// And waits for it without a timed wait, for which the JDK's one thread would wake twice.
  @Test
  void wakesWithASignal() throws Exception {
    var taken = new FutureTask<>(() -> inbox.take(Optional.of(NOW.plusSeconds(3600))));
    var driver = Thread.ofVirtual().start(taken);
    await().until(() -> driver.getState() == Thread.State.WAITING);

    inbox.put(NUDGE);

    assertThat(taken.get()).contains(NUDGE);
  }

  /// The alarm of a wait that a signal has ended may ring all the same.
  @Test
  void passesOverAnAlarmThatRingsTooLate() throws InterruptedException {
    inbox.expire();
    inbox.expire();
    inbox.put(NUDGE);

    assertThat(inbox.take(Optional.of(NOW))).contains(NUDGE);
    assertThat(inbox.take(Optional.of(NOW))).isEmpty();
  }

  /// Also if there is something to be done: a driver that has lost its run begins nothing more.
  @Test
  void endsWithAnInterruptBeforeItLooks() throws Exception {
    inbox.put(NUDGE);
    Thread.currentThread().interrupt();

    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> inbox.take(Optional.of(NOW)));
    assertThat(inbox.take(Optional.of(NOW))).contains(NUDGE);
  }
}
