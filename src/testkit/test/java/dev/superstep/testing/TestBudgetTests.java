package dev.superstep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TestBudgetTests {
  private final AtomicLong nanos = new AtomicLong(5);
  private final TestBudget budget = new TestBudget(nanos::get);

  @Test
  void endsWithItsTime() {
    nanos.addAndGet(TestBudget.PROCESSOR_TIME.toNanos());
    assertThatCode(budget::check).doesNotThrowAnyException();
    nanos.incrementAndGet();
    assertThatThrownBy(budget::check)
        .isInstanceOf(TestStoppedException.class)
        .hasMessage("the tests of a definition may take 20 s of a processor together");
  }

  /// A busy machine is no fault of the graph that is tested.
  @Test
  void countsNoTimeInWhichOthersCompute() throws InterruptedException {
    long before = TestBudget.processorNanos();
    var others = new AtomicLong();
    Thread.ofPlatform()
        .start(() -> {
          long begun = TestBudget.processorNanos();
          while (others.get() < 100_000_000) {
            others.set(TestBudget.processorNanos() - begun);
          }
        })
        .join();
    long own = TestBudget.processorNanos() - before;
    assertThat(others).hasValueGreaterThanOrEqualTo(100_000_000);
    assertThat(own).isBetween(0L, 50_000_000L);
  }

  /// Work on the thread of the tests counts.
  @Test
  void countsWhatTheTestsCompute() {
    long before = TestBudget.processorNanos();
    long until = System.nanoTime() + 10_000_000_000L;
    while (TestBudget.processorNanos() - before < 1_000_000 && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(TestBudget.processorNanos() - before).isGreaterThanOrEqualTo(1_000_000);
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
