package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MembershipTests {
  private static final Duration LEASE = Duration.ofSeconds(6);

  private final AtomicLong nanos = new AtomicLong(-5);
  private final DatabaseContact contact = new DatabaseContact(LEASE, nanos::get);
  private final Membership membership = new Membership(contact, LEASE, nanos::get);

  @Test
  void isStrandedWhenItHasHadNoNameForFiveLeasesAlthoughTheDatabaseAnswers() {
    membership.databaseAnswered();
    pass(30);
    membership.databaseAnswered();
    assertThat(membership.isStranded()).isFalse();
    pass(1);
    assertThat(membership.isStranded()).isTrue();
  }

  @Test
  void isNotStrandedByAnOutageOfTheDatabase() {
    membership.databaseAnswered();
    pass(20);
    membership.databaseSilent();
    pass(100);
    assertThat(membership.isStranded()).isFalse();

    membership.databaseAnswered();
    pass(20);
    assertThat(membership.isStranded()).isFalse();
  }

  @Test
  void isNotStrandedOnceItHasAName() {
    membership.databaseAnswered();
    pass(100);
    membership.take("a");
    assertThat(membership.isStranded()).isFalse();

    membership.databaseAnswered();
    pass(100);
    assertThat(membership.isStranded()).isFalse();
    membership.release("a");
    membership.databaseAnswered();
    pass(31);
    assertThat(membership.isStranded()).isTrue();
  }

  private void pass(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }
}
