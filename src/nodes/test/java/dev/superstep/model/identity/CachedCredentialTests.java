package dev.superstep.model.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CachedCredentialTests {
  private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final AtomicInteger given = new AtomicInteger();
  private volatile boolean away;
  private volatile Duration lasts = Duration.ofHours(1);

  private final CachedCredential<AccessToken> cached =
      new CachedCredential<>(
          it -> {
            int number = given.incrementAndGet();
            if (away) {
              throw new IOException("away " + number);
            }
            return new AccessToken("token-" + number, it.plus(lasts));
          },
          () -> now,
          Runnable::run);

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private String token() throws Exception {
    return cached.now().text();
  }

  @Test
  void renewsWhatEndsSoonAndNothingElse() throws Exception {
    assertThat(token()).isEqualTo("token-1");
    pass(Duration.ofMinutes(47));
    assertThat(token()).isEqualTo("token-1");
    assertThat(given).hasValue(1);
    pass(Duration.ofMinutes(1));
    assertThat(token()).as("while it is renewed").isEqualTo("token-1");
    assertThat(token()).isEqualTo("token-2");
    pass(Duration.ofMinutes(47));
    assertThat(token()).isEqualTo("token-2");
    assertThat(given).hasValue(2);
  }

  /// As long as there is something to go on with; then they wait for that renewal.
  @Test
  void letsNoCallWaitForTheRenewal() throws Exception {
    var answer = new CountDownLatch(1);
    var slow =
        new CachedCredential<>(
            it -> {
              int number = given.incrementAndGet();
              if (number > 1) {
                answer.await();
              }
              return new AccessToken("token-" + number, it.plus(lasts));
            },
            () -> now);
    assertThat(slow.now().text()).isEqualTo("token-1");
    pass(Duration.ofMinutes(48));
    for (int i = 0; i < 20; i++) {
      assertThat(slow.now().text()).isEqualTo("token-1");
    }
    await().until(given::get, it -> it == 2);
    pass(Duration.ofMinutes(12));
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var waits = callers.submit(slow::now);
      answer.countDown();
      assertThat(waits.get().text()).isEqualTo("token-2");
    }
    assertThat(given).hasValue(2);
  }

  @Test
  void goesOnWithWhatThereIsWhileNobodyAnswers() throws Exception {
    assertThat(token()).isEqualTo("token-1");
    away = true;
    pass(Duration.ofMinutes(56));
    assertThat(token()).isEqualTo("token-1");
    assertThat(token()).isEqualTo("token-1");
    assertThat(given).hasValue(2);
    pass(Duration.ofSeconds(31));
    assertThat(token()).isEqualTo("token-1");
    assertThat(given).hasValue(3);

    pass(Duration.ofMinutes(4));
    assertThatThrownBy(this::token).hasMessage("away 4");
    assertThatThrownBy(this::token).as("at once").hasMessage("away 4");
    away = false;
    pass(Duration.ofSeconds(2));
    assertThat(token()).isEqualTo("token-5");
  }

  @Test
  void refusesWhatHasEndedAlready() {
    lasts = Duration.ofSeconds(5);
    assertThatThrownBy(this::token).isInstanceOf(IdentityException.class);
  }

  @Test
  void asksOnceForAllWhoWait() throws Exception {
    var asked = new CountDownLatch(1);
    var answer = new CountDownLatch(1);
    var slow =
        new CachedCredential<>(
            it -> {
              given.incrementAndGet();
              asked.countDown();
              answer.await();
              return new AccessToken("one", it.plus(lasts));
            },
            () -> now);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = callers.submit(slow::now);
      asked.await();
      var others = new ArrayList<Callable<AccessToken>>();
      for (int i = 0; i < 20; i++) {
        others.add(slow::now);
      }
      var waiting = others.stream().map(callers::submit).toList();
      answer.countDown();
      assertThat(first.get().text()).isEqualTo("one");
      for (var it : List.copyOf(waiting)) {
        assertThat(it.get().text()).isEqualTo("one");
      }
    }
    assertThat(given).hasValue(1);
  }

  @Test
  void showsNoSecrets() {
    assertThat(new AccessToken("s3cret", now).toString()).doesNotContain("s3cret");
    assertThat(new AwsCredential("a", "s3cret", "s3cret", now).toString()).doesNotContain("s3cret");
    assertThat(WorkloadIdentity.CallProof.bearer("s3cret").toString()).doesNotContain("s3cret");
  }
}
