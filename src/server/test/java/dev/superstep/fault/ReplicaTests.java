package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A replica that does not become ready says why.
class ReplicaTests {
  private static final Path KEPT = Path.of("target", "fault-logs");

  @TempDir Path folder;

  /// Starts, and does nothing more.
  static final class Stuck {
    private Stuck() {}

    static void main() throws InterruptedException {
      Thread.ofVirtual().name("virtual-and-stuck").start(LockSupport::park);
      System.out.println("begun");
      Thread.currentThread().join();
    }
  }

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void showsTheLogOfAProcessThatEndsAtOnce() {
    try (var replica =
        new Replica(folder, List.of("sh", "-c", "echo the port is taken; exit 3"), Map.of())) {
      replica.start();

      assertThatThrownBy(replica::awaitReady)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("ended with 3")
          .hasMessageContaining("the port is taken");
    }
  }

  @Test
  void keepsTheThreadsOfAProcessThatIsStuck() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command =
        List.of(java, "-cp", System.getProperty("java.class.path"), Stuck.class.getName());
    try (var replica = new Replica(folder, command, Map.of())) {
      replica.start();
      Awaitility.await().until(() -> Files.readString(replica.log()).contains("begun"));

      assertThatThrownBy(() -> replica.awaitReady(Duration.ofMillis(200)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("is not ready");

      var name = "start-%s-".formatted(folder.getFileName());
      assertThat(KEPT.resolve(name + "threads.log")).content().contains("virtual-and-stuck");
      assertThat(KEPT.resolve(name + "service.log")).content().contains("begun", "main");
    }
  }

  @Test
  void givesEachServerAPortOfItsOwn() {
    assertThat(IntStream.range(0, 2_000).map(_ -> Processes.freePort())).doesNotHaveDuplicates();
  }
}
