package dev.superstep.durable;

import dev.superstep.fault.Replica;
import java.util.concurrent.CountDownLatch;

/// One SIGKILL for all cases that ask for it: when the last of them does.
final class SharedKill {
  private final Replica replica;
  private final CountDownLatch waiting;
  private final CountDownLatch restarted = new CountDownLatch(1);

  SharedKill(Replica replica, int cases) {
    this.replica = replica;
    waiting = new CountDownLatch(cases);
  }

  /// A case wants it, or will not any more.
  void arrive() {
    waiting.countDown();
  }

  void awaitRestart() throws InterruptedException {
    restarted.await();
  }

  /// When all have arrived.
  void happen() throws InterruptedException {
    try {
      waiting.await();
      replica.kill();
      replica.start();
      replica.awaitReady();
    } finally {
      restarted.countDown();
    }
  }
}
