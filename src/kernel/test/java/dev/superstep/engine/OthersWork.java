package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.WorkPermits;
import dev.superstep.tenant.Share;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/// For tests of what runs wait for: others work meanwhile.
public final class OthersWork {
  private static final Duration SOON = Duration.ofSeconds(10);
  private final CountDownLatch waits = new CountDownLatch(1);
  private final CountDownLatch worked = new CountDownLatch(1);

  /// To be called by whatever the run waits for; answers when another run has worked.
  public void await() throws InterruptedException {
    waits.countDown();
    worked.await();
  }

  /// Checks that `call`, which leads to [#await()], leaves the only place there is to another.
  public void during(Callable<?> call) throws InterruptedException {
    var workPermits = new WorkPermits(1, Duration.ofMinutes(1));
    var caller =
        Thread.ofVirtual()
            .start(() ->
                workPermits.begin(
                    Share.NOBODYS,
                    () -> {
                      try {
                        call.call();
                      } catch (Exception e) {
                        throw new IllegalStateException(e);
                      }
                    }));
    waits.await();
    Thread.ofVirtual().start(() -> workPermits.begin(Share.NOBODYS, worked::countDown));

    assertThat(caller.join(SOON)).as("others work while the call waits").isTrue();
  }
}
