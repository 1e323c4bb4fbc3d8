package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// The part of the fault suite that every build runs, on two replicas.
@Tag("fault-short")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Isolated("a replica that gets no processor for a lease is taken for dead")
class ShortFaultsIT {
  private static final long SEED = Long.getLong("fault.seed", System.nanoTime() & 0xffff_ffffL);

  @TempDir static Path folder;

  private static Suite suite;

  @BeforeAll
  static void startDatabase() throws Exception {
    suite = Suite.in(folder);
  }

  @AfterAll
  static void stopDatabase() {
    suite.close();
  }

  private static Storm storm(String name, int waves, Storm.Fault fault) {
    return new Storm(name, waves, 10, fault);
  }

  /// E47, I1, I2, I3, I4, I5, I6, I7, I8, I9, I10, I11, I12: on one cluster, replicas are killed,
  /// acknowledgements lost, and zombies write nothing; a replica that is drained loses no request,
  /// and a backup has every run.
  @Test
  void endsRunsAsIfNothingHadHappened() throws Exception {
    var several =
        new Several(
            "short: sigkill, lost acknowledgements, zombies, drain, restore",
            List.of(
                storm("sigkill", 1, Faults::kill),
                storm("acknowledgements", 1, Faults::dropAcknowledgements),
                new Zombies("zombies", 1, 12, Map.of()),
                new Drain(6, 4),
                new Restore(6)));

    var tally = suite.play(several, SEED);

    assertThat(tally.json())
        .contains("\"sigkill\":", "\"acknowledgements dropped\":", "\"sigstop\":")
        .contains("\"zombie_writes_accepted\":0");
    assertThat(tally.json())
        .as("zombies that are told before they write prove nothing")
        .doesNotContain("\"zombie_commits_rejected\":0");
  }

  /// A standby without the last transactions is promoted: nothing is stuck, and nobody dead.
  @Test
  void goesOnFromWhatAStandbyHas() throws Exception {
    suite.play(new Promotion("promotion, short", 1, 6, false, Duration.ofSeconds(2)), SEED);
  }
}
