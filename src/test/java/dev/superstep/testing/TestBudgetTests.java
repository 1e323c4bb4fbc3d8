package dev.superstep.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TestBudgetTests {
  private final AtomicLong nanos = new AtomicLong(5);
  private final TestBudget budget = new TestBudget(nanos::get);

  @Test
  void endsWithItsTime() {
    nanos.addAndGet(TestBudget.TIME.toNanos());
    assertThatCode(budget::check).doesNotThrowAnyException();
    nanos.incrementAndGet();
    assertThatThrownBy(budget::check)
        .isInstanceOf(TestStoppedException.class)
        .hasMessage("the tests of a definition may take 20 s together");
  }

  @Test
  void endsWithTheLastCall() {
    for (int i = 0; i < 100_000; i++) {
      budget.call();
    }
    assertThatThrownBy(budget::call)
        .hasMessage("the tests of a definition may call nodes 100000 times together");
  }

  @Test
  void endsWhenNobodyWaitsAnyMore() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(budget::check).hasMessage("the test was interrupted");
    Thread.interrupted();
  }
}
