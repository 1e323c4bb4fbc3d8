package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ReplicaPollerTests {
  private static final Duration SHORT = Duration.ofMillis(5);

  private final Logger logger = (Logger) LoggerFactory.getLogger(ReplicaPoller.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Member member = new Member();

  @BeforeEach
  void reads() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stops() {
    logger.detachAppender(log);
  }

  private void polling(Runnable test, ReplicaPoll... polls) {
    var poller = new ReplicaPoller(List.of(polls), member);
    poller.start();
    try {
      test.run();
    } finally {
      poller.stop();
    }
  }

  private List<ILoggingEvent> warnings() {
    return List.copyOf(log.list).stream()
        .filter(it -> it.getLevel().isGreaterOrEqual(Level.WARN))
        .toList();
  }

  @Test
  void pollsEachAtItsOwnPause() {
    var often = new Counted(SHORT);
    var seldom = new Counted(Duration.ofHours(1));

    polling(() -> await().until(() -> often.rounds.get() > 10), seldom, often);

    assertThat(seldom.rounds).hasValue(1);
  }

  @Test
  void logsOneLineForFailuresInSuccessionAndPollsTheOthers() {
    var broken = new Counted(SHORT);
    broken.failure.set(new IllegalStateException("broken\nas the test wants it"));
    var sound = new Counted(SHORT);

    polling(
        () -> await().until(() -> broken.rounds.get() > 10 && sound.rounds.get() > 10),
        broken,
        sound);

    assertThat(warnings()).hasSize(1);
    assertThat(warnings().getFirst().getThrowableProxy()).isNull();
    assertThat(warnings().getFirst().getFormattedMessage())
        .contains("Counted")
        .contains("broken as the test wants it")
        .doesNotContain("\n");
  }

  @Test
  void continuesAfterAnError() {
    var broken = new Counted(SHORT);
    var error = new StackOverflowError("as the test wants it");
    broken.failure.set(error);

    polling(
        () -> {
          await().until(() -> broken.rounds.get() > 1);
          broken.failure.set(null);
          int before = broken.rounds.get();
          await().until(() -> broken.rounds.get() > before);
        },
        broken);
  }

  @Test
  void pollsNothingWithoutAName() {
    member.name = Optional.empty();
    var poll = new Counted(SHORT);

    polling(
        () -> {
          await().until(() -> member.asked.get() > 5);
          assertThat(poll.rounds).hasValue(0);
          member.name = Optional.of("r");
          await().until(() -> poll.rounds.get() > 0);
        },
        poll);
  }

  private static final class Counted implements ReplicaPoll {
    private final Duration pause;
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Counted(Duration pause) {
      this.pause = pause;
    }

    @Override
    public Duration pause() {
      return pause;
    }

    @Override
    public void poll(String replica) {
      rounds.incrementAndGet();
      switch (failure.get()) {
        case RuntimeException it -> throw it;
        case Error it -> throw it;
        case null, default -> {}
      }
    }
  }

  private static final class Member implements Replica {
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Optional<String> name = Optional.of("r");

    @Override
    public Optional<String> id() {
      asked.incrementAndGet();
      return name;
    }

    @Override
    public Optional<String> taking() {
      return name;
    }

    @Override
    public boolean leaving() {
      return false;
    }

    @Override
    public void pauseClaims() {}

    @Override
    public void resumeClaims() {}

    @Override
    public void pollDueRuns() {}
  }
}
