package dev.superstep.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.WorkPermits;
import dev.superstep.tenant.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LongWorkTests {
  private static final Share LOUD = new Share("loud", "a");
  private static final Share QUIET = new Share("quiet", "q");

  private final AtomicLong nanos = new AtomicLong();
  private final LongWork longWork = new LongWork(1, nanos::get);
  private final WorkPermits permits = new WorkPermits(100, Duration.ZERO);
  private final BlockingQueue<String> order = new LinkedBlockingQueue<>();

  /// Waits for a permit, which it gives back at once.
  private Thread queue(String name, Share share) {
    int before = longWork.waiting();
    var thread =
        Thread.ofVirtual()
            .start(() ->
                permits.begin(
                    share,
                    () -> {
                      try {
                        var turn = longWork.enter();
                        order.add(name);
                        turn.end();
                      } catch (InterruptedException _) {
                        order.add(name + " was interrupted");
                      }
                    }));
    await().until(() -> longWork.waiting() > before);
    return thread;
  }

  private List<String> next(int count) throws InterruptedException {
    var found = new ArrayList<String>();
    while (found.size() < count) {
      var name = order.poll(20, TimeUnit.SECONDS);
      assertThat(name).as("behind %s", found).isNotNull();
      found.add(name);
    }
    return found;
  }

  @Test
  void servesTenantsInTurn() throws Exception {
    var first = longWork.enter();
    for (int i = 0; i < 10; i++) {
      queue("loud-" + i, LOUD);
    }
    queue("quiet", QUIET);

    first.end();

    assertThat(next(11).subList(0, 3)).containsExactly("loud-0", "quiet", "loud-1");
  }

  @Test
  void passesItsPermitToAnotherTenantBehindATurn() throws Exception {
    var turn = longWork.enter();
    queue("quiet", QUIET);

    turn.pass();
    assertThat(order).isEmpty();
    nanos.addAndGet(Duration.ofMillis(21).toNanos());
    turn.pass();

    assertThat(next(1)).containsExactly("quiet");
    queue("another", QUIET);
    assertThat(order).as("it has a permit again").isEmpty();
    turn.end();
    assertThat(next(1)).containsExactly("another");
  }

  /// Of several equal ones the first is done soonest if none of the others is begun.
  @Test
  void passesItsPermitToNobodyOfItsOwn() throws Exception {
    var turn = longWork.enter();
    var others = queue("another", Share.NOBODYS);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());

    turn.pass();

    assertThat(order).isEmpty();
    turn.end();
    assertThat(next(1)).containsExactly("another");
    others.join();
  }

  /// Of those who compute a permit each would be held while one of them does.
  @Test
  void leavesWorkPermitsToOthersMeanwhile() throws Exception {
    var turn = longWork.enter();
    var one = new WorkPermits(1, Duration.ofMinutes(1));
    var waits =
        Thread.ofVirtual()
            .start(() ->
                one.begin(
                    LOUD,
                    () -> {
                      var delay = WorkPermits.delay();
                      enterAndEnd();
                      order.add(delay.soFar().isPositive() ? "delayed" : "not delayed");
                    }));
    await().until(() -> longWork.waiting() == 1);

    one.begin(LOUD, () -> order.add("another"));

    assertThat(next(1)).containsExactly("another");
    turn.end();
    assertThat(next(1)).containsExactly("delayed");
    waits.join();
  }

  private void enterAndEnd() {
    try {
      longWork.enter().end();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void losesNoPermitToAThreadThatIsInterrupted() throws Exception {
    var turn = longWork.enter();
    queue("cancelled", LOUD).interrupt();
    assertThat(next(1)).containsExactly("cancelled was interrupted");
    queue("quiet", QUIET);

    turn.end();

    assertThat(next(1)).containsExactly("quiet");
    longWork.enter().end();
  }
}
