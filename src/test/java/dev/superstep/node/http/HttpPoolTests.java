package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/// What becomes of the pool's connections when calls that queue for one are given up.
class HttpPoolTests {
  private static final int ROUNDS = 3_000;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final HttpSettings ONE_CONNECTION =
      new HttpSettings(
          Duration.ofSeconds(2),
          PATIENCE,
          DataSize.ofKilobytes(64),
          DataSize.ofKilobytes(8),
          20,
          DataSize.ofKilobytes(1),
          1,
          Duration.ofHours(1));

  @Test
  void losesNoConnectionToACallThatIsInterruptedAsItGetsOne() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    var random = new SplittableRandom(seed);
    var resolver =
        new HttpTransport.GuardedResolver(
            NameResolver.system(), EgressPolicy.of(List.of("127.0.0.1:*")));
    try (var server = new TestServer().on("/", 200, "{}");
        var transport =
            new HttpTransport(
                GuardedHttpClient.create(ONE_CONNECTION, resolver, SSLContext.getDefault()),
                1_000,
                Thread.ofVirtual().factory())) {
      var call = new HttpCall("GET", URI.create(server.url("/")), Map.of(), new byte[0]);
      for (int i = 0; i < ROUNDS; i++) {
        var holder = start(() -> transport.send(call, PATIENCE));
        var waiter = new FutureTask<>(() -> transport.send(call, PATIENCE));
        var thread = Thread.ofVirtual().start(waiter);
        for (int spins = random.nextInt(20_000); spins > 0; spins--) {
          Thread.onSpinWait();
        }
        thread.interrupt();
        assertThat(holder.get().status()).as("round %d", i).isEqualTo(200);
        thread.join();
      }
    }
  }

  private static <T> FutureTask<T> start(Callable<T> work) {
    var task = new FutureTask<>(work);
    Thread.ofVirtual().start(task);
    return task;
  }
}
