package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.packaging.Sdk;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// E53: workers of the clients, each a process beside two replicas of the packaged jar, of which
/// one is killed with SIGKILL again and again, between the steps of its tasks, in them, and while
/// they sleep. A step is called again only if it was in flight then: never once a step behind it
/// was called, and never if it may be called once only.
class WorkerStepsSigkillIT {
  private static final long SEED = Long.getLong("worker.steps.seed", 53);
  private static final Path PROGRAMS = Path.of("src/server/test/resources/workers");
  private static final String JSON = "application/json";

  /// Tasks of a run, of which there is one for each kill.
  private static final int TASKS = 12;

  /// Which step may be made once only.
  private static final int ONCE = 2;

  /// Tasks that a worker has at a time.
  private static final int PLACES = 4;

  /// Kills at most that follow until one has hit a call.
  private static final int MORE = 10;

  private static final String GRAPH =
      """
      name: steps
      channels: { items: {}, done: { reducer: append }, results: { reducer: append } }
      nodes:
        - { id: plan, type: expression, config: { dispatch: "{{ fan_out('work', state.items, 'item') }}" }, targets: [work] }
        - id: work
          type: worker
          retry: { max_attempts: 50, initial_interval: 50ms }
          config:
            task_type: number
            input: "{{ input.item }}"
            heartbeat: 3s
            result: { update: { done: ["{{ response.number }}"], results: "{{ response.results }}" } }
      edges: [{ from: __start__, to: plan }]
      """;

  @TempDir private Path folder;

  private final Random random = new Random(SEED);
  private final List<Process> workers = new ArrayList<>();

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void makesNoStepAgainThatWasNotInFlight() throws Exception {
    kill(Integer.getInteger("worker.steps.kills", 2), 1);
  }

  @Test
  @Tag("fault")
  @Timeout(value = 90, unit = TimeUnit.MINUTES)
  void makesNoStepAgainOverManyKills() throws Exception {
    kill(Integer.getInteger("worker.steps.kills", 200), 3);
  }

  private void kill(int kills, int languages) throws Exception {
    try (var steps = new CalledSteps(ONCE);
        var replicas = new ReplicaPair(folder, Map.of())) {
      replicas.start();
      assertThat(replicas.first().post("/v1/graphs", "application/yaml", GRAPH).status())
          .isEqualTo(201);
      int made = play(replicas, kills, programs(replicas, languages, steps.url()), steps);
      for (int i = 0; i < made; i++) {
        check(replicas.second(), i, steps);
      }
      assertThat(steps.wrong()).isEmpty();
      System.out.printf(
          "seed %d: %d kills of workers in %d languages, %d steps, %d calls again%n",
          SEED, made, languages, steps.steps(), steps.repeats());
      assertThat(steps.repeats())
          .as("a kill that hit no call would show nothing, and each hits as many as a worker makes")
          .isBetween(1, made * PLACES);
    } finally {
      workers.forEach(Process::destroyForcibly);
    }
  }

  private static List<ProcessBuilder> programs(ReplicaPair replicas, int count, String url)
      throws Exception {
    var arguments = List.of(Integer.toString(PLACES), "steps", url);
    var programs = new ArrayList<ProcessBuilder>();
    for (int i = 0; i < count; i++) {
      var replica = i % 2 == 0 ? replicas.first() : replicas.second();
      var base = "http://127.0.0.1:" + replica.port();
      programs.add(
          switch (i) {
            case 0 -> Sdk.python(base, PROGRAMS.resolve("program.py"), arguments);
            case 1 -> Sdk.typescript(base, PROGRAMS.resolve("program.mjs"), arguments);
            default -> Sdk.java(base, PROGRAMS.resolve("Program.java.txt"), arguments);
          });
    }
    return programs;
  }

  /// Goes on until a kill has hit a call that is made again.
  ///
  /// @return how many kills
  private int play(
      ReplicaPair replicas, int kills, List<ProcessBuilder> programs, CalledSteps steps)
      throws Exception {
    for (var program : programs) {
      workers.add(program.start());
    }
    int made = 0;
    for (int i = 0; i < kills || (i < kills + MORE && steps.repeats() == 0); i++) {
      start(replicas.first(), i);
      int before = steps.calls();
      Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> steps.calls() > before);
      LockSupport.parkNanos(Duration.ofMillis(random.nextInt(1_000)).toNanos());
      for (int n = 0; n < 500 && steps.inFlight() == 0; n++) {
        LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
      }
      int killed = i % programs.size();
      workers.get(killed).destroyForcibly().waitFor();
      workers.set(killed, programs.get(killed).start());
      made++;
    }
    return made;
  }

  private static void start(Replica replica, int run) {
    var items =
        ListValue.of(
            IntStream.range(run * TASKS, (run + 1) * TASKS).<Value>mapToObj(Value::of).toList());
    var body =
        ObjectValue.of("graph", "steps")
            .plus("id", "steps-" + run)
            .plus("input", ObjectValue.of("items", items));
    assertThat(replica.post("/v1/runs", JSON, Canonical.text(body)).status()).isEqualTo(202);
  }

  private static void check(Replica replica, int run, CalledSteps steps) {
    var id = "/v1/runs/steps-" + run;
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(200))
        .until(() -> replica.get(id).text("status").equals("succeeded"));
    var channels = ((ObjectValue) replica.get(id + "/state").body()).objectOrEmpty("state");
    assertThat(((ListValue) channels.getOr("done", Value.NULL)).stream())
        .containsExactlyElementsOf(
            IntStream.range(run * TASKS, (run + 1) * TASKS).<Value>mapToObj(Value::of).toList());
    steps.check(id, "", channels.listOrEmpty("results"));
  }
}
