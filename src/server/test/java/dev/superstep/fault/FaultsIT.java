package dev.superstep.fault;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// The long fault suite (`docs/faults.md`): every scenario once, then again with other seeds until
/// `-Dfault.minutes` have passed. I1 to I12, E40, E47.
@Tag("fault")
class FaultsIT {
  private static final Duration TIME = Duration.ofMinutes(Integer.getInteger("fault.minutes", 30));
  private static final int KILLS = Integer.getInteger("fault.kills", 8);
  private static final int PROMOTIONS = Integer.getInteger("fault.promotions", 5);
  private static final String ONLY = System.getProperty("fault.only", "");
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

  // One line for each of them.
  @SuppressWarnings("checkstyle:MethodLength")
  private static List<Scenario> scenarios() {
    var all = new ArrayList<Scenario>();
    all.add(new Zombies("zombies", 11, 40, Map.of()));
    all.add(new Takeovers(KILLS / 2, 12));
    all.add(new Storm("sigkill", 4, 10, Faults::kill));
    all.add(new Storm("kill all", 2, 15, Faults::killAll));
    all.add(new Storm("late kill", 2, 10, Faults::killLate));
    all.add(new Storm("sigstop", 3, 10, Faults::freeze));
    all.add(new Storm("connections cut", 5, 10, Faults::cut));
    all.add(new Storm("database refused", 3, 10, Faults::refuse));
    all.add(new Storm("black hole", 3, 10, Faults::blackHole));
    all.add(new Storm("slow network", 2, 10, Faults::delay));
    all.add(new Storm("acknowledgements dropped", 6, 10, Faults::dropAcknowledgements));
    all.add(new Storm("postgres immediate restart", 3, 10, Faults::crashPostgres));
    all.add(new Storm("backends terminated", 4, 10, Faults::terminateBackends));
    all.add(new Storm("sigkill, wide", 4, 10, Faults::kill).with(FaultsIT::wide));
    all.add(new Storm("sigstop, wide", 2, 10, Faults::freeze).with(FaultsIT::wide));
    all.add(new Storm("black hole, wide", 2, 10, Faults::blackHole).with(FaultsIT::wide));
    all.add(
        new Storm("acknowledgements dropped, wide", 4, 10, Faults::dropAcknowledgements)
            .with(FaultsIT::wide));
    all.add(new ClockSkew("+1h"));
    all.add(new ClockSkew("-1h"));
    all.add(new ClockJumps(4));
    all.add(new DiskFull());
    all.add(new Duplicates(8));
    all.add(new Races(10));
    all.add(new SlowReaders(6));
    all.add(new Poison());
    all.add(new ThirdDeath());
    all.add(new BigStates(3));
    all.add(new CallsUnderLoad(40, 4, Duration.ofSeconds(20)));
    all.add(new Storm("rolling restart", 1, 15, Faults::rollingRestart));
    all.add(new Drain(15, 8));
    all.add(new Restore(15));
    all.add(new Promotion("promotion, synchronous", PROMOTIONS, 8, true, Duration.ZERO));
    all.add(new Promotion("promotion, lagging", PROMOTIONS, 8, false, Duration.ofSeconds(20)));
    all.add(new RollingUpgrade("rolling upgrade", 10, UnaryOperator.identity()));
    all.add(new RollingUpgrade("rolling upgrade, wide", 10, FaultsIT::wide));
    all.add(Mutant.unfenced(new Zombies("mutant: zombies", 1, 10, Map.of())));
    all.add(Mutant.unfenced(new Storm("mutant: late kill", 5, 15, Faults::killLate)));
    all.add(new HalfDone("kill in half a superstep", 3));
    all.add(Mutant.forgetful(new HalfDone("mutant: forgotten outcomes", 1)));
    return all;
  }

  /// Supersteps of the suite's widest graph are spread over the replicas.
  private static Cluster.Options wide(Cluster.Options options) {
    return options.with(
        Map.of("SUPERSTEP_WIDE_THRESHOLD", "100", "SUPERSTEP_WIDE_SLICE_MIN", "16"));
  }

  /// E47, I1, I2, I3, I4, I5, I6, I7, I8, I9, I10, I11, I12
  @TestFactory
  Stream<DynamicTest> endsRunsAsIfNothingHadHappened() {
    var wanted =
        scenarios().stream().filter(it -> ONLY.isEmpty() || it.name().matches(ONLY)).toList();
    long end = System.nanoTime() + TIME.toNanos();
    var next = new AtomicInteger();
    return Stream.generate(next::getAndIncrement)
        .takeWhile(it -> it < wanted.size() || System.nanoTime() < end)
        .map(it -> test(wanted.get(it % wanted.size()), SEED + it));
  }

  private static DynamicTest test(Scenario scenario, long seed) {
    return DynamicTest.dynamicTest(
        "%s, seed %d".formatted(scenario.name(), seed), () -> suite.play(scenario, seed));
  }
}
