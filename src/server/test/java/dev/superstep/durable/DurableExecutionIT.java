package dev.superstep.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.durable.extension.DurableFunctions;
import dev.superstep.fault.ExtensionJar;
import dev.superstep.fault.ReplicaPair;
import dev.superstep.state.value.Canonical;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The cases that AWS publishes for SDKs of its durable functions, said in our words
/// (`resources/durable`), against the packaged service. Those that want an interruption are played
/// together, and the service is killed once for all of them.
class DurableExecutionIT {
  private static final int CASES = 148;
  private static final int AT_A_TIME = 24;

  @TempDir private static Path folder;
  private static ReplicaPair replicas;
  private static OutsideService service;
  private static final Map<String, Future<Void>> PLAYED = new LinkedHashMap<>();

  static Stream<DurableCase> cases() {
    return DurableCase.all().stream().filter(DurableCase::runs);
  }

  @BeforeAll
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  static void play() throws Exception {
    var settings = new HashMap<>(ExtensionJar.of(folder, DurableFunctions.class));
    settings.put("SUPERSTEP_LEASE", "2s");
    replicas = new ReplicaPair(folder, settings);
    replicas.first().start();
    replicas.first().awaitReady();
    service = new OutsideService(cases().toList());
    for (var subject : DurableCase.SUBJECTS) {
      for (var graph : DurableCase.graphs(subject)) {
        var completed = DurableCase.completed(graph, service.url() + graph.text("name"));
        var posted =
            replicas.first().post("/v1/graphs", "application/json", Canonical.text(completed));
        assertThat(posted.status()).as(posted.toString()).isEqualTo(201);
      }
    }
    var interrupted = cases().filter(DurableCase::isInterrupted).toList();
    long began = System.nanoTime();
    play(cases().filter(it -> !it.isInterrupted()).toList(), AT_A_TIME);
    long then = System.nanoTime();
    play(interrupted, interrupted.size());
    System.out.printf(
        "%d cases in %.1f s, and %d with a kill in %.1f s%n",
        PLAYED.size() - interrupted.size(),
        (then - began) / 1_000_000_000.0,
        interrupted.size(),
        (System.nanoTime() - then) / 1_000_000_000.0);
  }

  private static void play(List<DurableCase> cases, int threads) throws Exception {
    var kill = new SharedKill(replicas.first(), cases.size());
    try (var executor = Executors.newFixedThreadPool(threads)) {
      for (var it : cases) {
        PLAYED.put(it.id(), executor.submit(() -> played(it, kill)));
      }
      if (cases.getFirst().isInterrupted()) {
        kill.happen();
      }
    }
  }

  private static Void played(DurableCase it, SharedKill kill) throws Exception {
    var play = new CasePlay(it, replicas.first(), service, kill);
    var run = play.play();
    new CaseChecks(it, play, run, service.effects(it.id()), replicas.first().log())
        .check(replicas.jdbc());
    return null;
  }

  @AfterAll
  static void stop() {
    service.close();
    replicas.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void holds(DurableCase it) throws Throwable {
    try {
      Objects.requireNonNull(PLAYED.get(it.id())).get();
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  @Test
  void areAllThere() {
    assertThat(DurableCase.all().stream().map(DurableCase::id).distinct()).hasSize(CASES);
  }
}
