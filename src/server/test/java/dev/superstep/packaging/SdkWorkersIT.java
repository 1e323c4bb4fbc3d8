package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.fault.Replica;
import dev.superstep.fault.ReplicaPair;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Workers of all three clients, each in a process of its own, at two replicas of the packaged jar.
@Tag("fault")
class SdkWorkersIT {
  private static final Path PROGRAMS = Path.of("src/server/test/resources/workers");
  private static final String JSON = "application/json";
  private static final int LANGUAGES = 3;
  private static final int TASKS = 10_000;
  private static final int ZOMBIES = 1_000;

  /// A run has 256 tasks at a time.
  private static final int ZOMBIES_OF_A_RUN = 250;

  private static final String GRAPH =
      """
      name: NAME
      channels: { items: {}, done: { reducer: append }, sum: { reducer: sum } }
      nodes:
        - { id: plan, type: expression, config: { dispatch: "{{ fan_out('work', state.items, 'item') }}" }, targets: [work] }
        - id: work
          type: worker
          config:
            task_type: number
            input: "{{ input.item }}"
            heartbeat: LEASE
            result: { update: { done: ["{{ response.number }}"], sum: 1 } }
      edges: [{ from: __start__, to: plan }]
      """;

  @TempDir private Path folder;
  private final List<Process> workers = new ArrayList<>();
  private final List<Path> logs = new ArrayList<>();
  private ReplicaPair replicas;

  @BeforeEach
  void start() throws IOException, SQLException {
    replicas = new ReplicaPair(folder, Map.of());
    replicas.start();
    post("numbers", "30s");
    post("zombies", "90s");
  }

  private void post(String name, String lease) {
    var graph = GRAPH.replace("NAME", name).replace("LEASE", lease);
    var created = replicas.first().post("/v1/graphs", "application/yaml", graph);
    assertThat(created.status()).isEqualTo(201);
  }

  @AfterEach
  void stop() {
    workers.forEach(Process::destroyForcibly);
    replicas.close();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void countEachOutcomeOfTenThousandTasksOnce() throws Exception {
    for (int i = 0; i < LANGUAGES; i++) {
      work(program(i, List.of("20", "work")));
    }
    var runs = IntStream.range(0, 10).mapToObj(it -> "numbers-" + it).toList();
    long begin = System.nanoTime();
    for (int i = 0; i < runs.size(); i++) {
      start(runs.get(i), i * TASKS / 10, TASKS / 10);
    }
    for (int i = 0; i < runs.size(); i++) {
      awaitSum(runs.get(i), i * TASKS / 10, TASKS / 10);
    }
    System.out.printf("%d tasks in %.1f s%n", TASKS, (System.nanoTime() - begin) / 1_000_000_000.0);
    end();
  }

  /// Processes that are suspended with tasks in hand, and go on when others have half of these, and
  /// have done the other half. They have a place for each task and no more, so that none of them
  /// claims what the others lose; once all are suspended, their leases run out.
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void areRefusedWhatTheyEndBehindTheirLeases() throws Exception {
    var go = folder.resolve("go");
    for (int i = 0; i < LANGUAGES; i++) {
      var places = Integer.toString((ZOMBIES + i) / LANGUAGES);
      work(program(i, List.of(places, "linger", go.toString())));
    }
    for (int i = 0; i < ZOMBIES; i += ZOMBIES_OF_A_RUN) {
      start("zombies-" + i, i, ZOMBIES_OF_A_RUN);
    }
    await(() -> assertThat(lines("lingers")).isEqualTo(ZOMBIES));
    for (var worker : workers) {
      signal(worker, "STOP");
    }
    await(() -> assertThat(states("queued")).isEqualTo(ZOMBIES));
    var claimed = claim();
    // Some of each run: none of them may go on meanwhile.
    for (int i = 0; i < ZOMBIES; i += 2) {
      end(claimed.get(i));
    }

    var before = digest();
    Files.createFile(go);
    for (var worker : workers) {
      signal(worker, "CONT");
    }
    await(() -> assertThat(lines("refused task_lease_lost")).isEqualTo(ZOMBIES));
    assertThat(lines("counted")).isZero();
    assertThat(digest()).isEqualTo(before);
    for (int i = 1; i < ZOMBIES; i += 2) {
      end(claimed.get(i));
    }
    for (int i = 0; i < ZOMBIES; i += ZOMBIES_OF_A_RUN) {
      awaitSum("zombies-" + i, i, ZOMBIES_OF_A_RUN);
    }
  }

  private ProcessBuilder program(int language, List<String> arguments) throws Exception {
    return switch (language) {
      case 0 -> Sdk.java(base(replicas.first()), PROGRAMS.resolve("Program.java.txt"), arguments);
      case 1 -> Sdk.python(base(replicas.second()), PROGRAMS.resolve("program.py"), arguments);
      default -> Sdk.typescript(base(replicas.first()), PROGRAMS.resolve("program.mjs"), arguments);
    };
  }

  private static String base(Replica replica) {
    return "http://127.0.0.1:" + replica.port();
  }

  private void work(ProcessBuilder program) throws IOException {
    logs.add(Objects.requireNonNull(program.redirectOutput().file()).toPath());
    workers.add(program.start());
  }

  private void start(String run, int first, int count) {
    var items =
        ListValue.of(IntStream.range(first, first + count).<Value>mapToObj(Value::of).toList());
    var body =
        ObjectValue.of("graph", run.substring(0, run.indexOf('-')))
            .plus("id", run)
            .plus("input", ObjectValue.of("items", items));
    var answer = replicas.first().post("/v1/runs", JSON, Canonical.text(body));
    assertThat(answer.status()).isEqualTo(202);
  }

  private void awaitSum(String run, int first, int count) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(8))
        .pollInterval(Duration.ofMillis(200))
        .until(() ->
            ((ObjectValue) replicas.second().get("/v1/runs/" + run).body())
                .text("status")
                .equals("succeeded"));
    var state = (ObjectValue) replicas.second().get("/v1/runs/" + run + "/state").body();
    var channels = state.objectOrEmpty("state");
    assertThat(channels.get("sum")).isEqualTo(Value.of(count));
    assertThat(((ListValue) channels.getOr("done", Value.NULL)).stream())
        .containsExactlyElementsOf(
            IntStream.range(first, first + count).<Value>mapToObj(Value::of).toList());
  }

  /// Each of them has had a share.
  private void end() throws InterruptedException {
    for (var worker : workers) {
      assertThat(worker.isAlive()).isTrue();
      worker.destroy();
    }
    for (var worker : workers) {
      assertThat(worker.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private List<ObjectValue> claim() {
    var claimed = new ArrayList<ObjectValue>();
    while (claimed.size() < ZOMBIES) {
      var answer = replicas.first().post("/v1/tasks/claim?type=number&max=100&wait=1s", JSON, "");
      var items = (ListValue) ((ObjectValue) answer.body()).getOr("items", ListValue.empty());
      assertThat(items.size()).as(answer.toString()).isPositive();
      items.forEach(it -> claimed.add((ObjectValue) it));
    }
    return claimed;
  }

  private void end(ObjectValue task) {
    var body =
        ObjectValue.of("token", task.text("token"))
            .plus("result", ObjectValue.of("number", task.getOr("input", Value.NULL)));
    var path = "/v1/tasks/" + task.text("id") + "/outcome";
    assertThat(replicas.second().post(path, JSON, Canonical.text(body)).status()).isEqualTo(204);
  }

  private long lines(String line) throws IOException {
    long found = 0;
    for (var log : logs) {
      try (Stream<String> lines = Files.lines(log)) {
        found += lines.filter(line::equals).count();
      }
    }
    return found;
  }

  private int states(String state) {
    return replicas
        .jdbc()
        .sql("select count(*) from task where state = :state")
        .param("state", state)
        .query(Integer.class)
        .single();
  }

  /// Of all that an outcome would change.
  private String digest() {
    return replicas
        .jdbc()
        .sql(
            """
            select md5((select string_agg(task::text, ';' order by id) from task)
                       || (select string_agg(run::text, ';' order by id) from run))
            """)
        .query(String.class)
        .single();
  }

  private static void await(org.awaitility.core.ThrowingRunnable check) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(4))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(check);
  }

  private static void signal(Process process, String signal) throws Exception {
    var sent = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
    assertThat(sent.waitFor()).isZero();
  }
}
