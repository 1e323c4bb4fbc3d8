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
    membership.take("a", nanos.get());
    assertThat(membership.isStranded()).isFalse();

    membership.databaseAnswered();
    pass(100);
    assertThat(membership.isStranded()).isFalse();
    membership.release("a");
    membership.databaseAnswered();
    pass(31);
    assertThat(membership.isStranded()).isTrue();
  }

  /// A heartbeat may be older than the answer that tells of it.
  @Test
  void isConfirmedForALeaseSinceItsLastHeartbeat() {
    membership.take("a", nanos.get());
    pass(5);
    contact.made();
    membership.confirm("a", nanos.get() - Duration.ofSeconds(2).toNanos());
    pass(4);
    contact.made();
    assertThat(membership.confirmed()).contains("a");

    pass(1);

    assertThat(membership.confirmed()).isEmpty();
    membership.confirm("a", nanos.get());
    assertThat(membership.confirmed()).contains("a");
  }

  @Test
  void isNotConfirmedByTheHeartbeatOfAFormerName() {
    membership.take("a", nanos.get());
    membership.release("a");
    membership.take("b", nanos.get());
    pass(7);

    membership.confirm("a", nanos.get());

    assertThat(membership.confirmed()).isEmpty();
  }

  private void pass(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }
}
