package dev.superstep.fault;

import dev.superstep.fault.Replica.Answer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/// Answers, resumes and cancels of one run at the same moment on different replicas, also while it
/// is about to finish: each call is accepted or refused in words, and the run ends once.
record Races(int rounds) implements Scenario {
  private static final Set<Integer> SAID = Set.of(200, 202, 404, 409, 422);

  @Override
  public String name() {
    return "resume, cancel and finish race";
  }

  @Override
  public void play(Stage stage) throws Exception {
    var cluster = stage.cluster();
    var load = new Load(cluster, "race");
    var ids = new ArrayList<String>();
    try (var client = new PollingClient(cluster, () -> Set.copyOf(ids))) {
      for (int round = 0; round < rounds; round++) {
        var run = load.start(round % 3 == 2 ? "loop" : "two-askers");
        ids.add(run);
        race(stage, run);
      }
      Awaitility.await("that all raced runs have ended")
          .atMost(Duration.ofSeconds(90))
          .pollInterval(Duration.ofMillis(300))
          .until(() -> atRest(stage));
      client.stop();
      stage.tally().violations(client.violations());
    }
    stage.tally().runs(ids.size());
    Verdict.ofStore(stage);
  }

  private static boolean atRest(Stage stage) {
    return stage
        .cluster()
        .jdbc()
        .sql("select not exists (select from run where status not in ('succeeded', 'cancelled'))")
        .query(Boolean.class)
        .single();
  }

  private static void race(Stage stage, String run) throws Exception {
    var cluster = stage.cluster();
    var graph = cluster.get("/v1/runs/" + run).text("graph");
    if (graph.equals("two-askers")) {
      Awaitility.await("that both ask")
          .atMost(Duration.ofSeconds(30))
          .until(() -> questions(cluster, run).size() == 2);
    } else {
      Thread.sleep(stage.random().nextInt(700));
    }
    var calls = new ArrayList<Callable<Answer>>();
    for (var question : questions(cluster, run)) {
      for (var replica : cluster.replicas()) {
        calls.add(() -> post(replica, "/v1/interrupts/" + question + "/answer", "{\"value\":1}"));
      }
    }
    int at = 0;
    for (var replica : cluster.replicas()) {
      calls.add(() -> post(replica, "/v1/runs/" + run + "/resume", "{}"));
      if (graph.equals("loop") || at++ == stage.random().nextInt(3)) {
        calls.add(() -> post(replica, "/v1/runs/" + run + "/cancel", ""));
      }
    }
    java.util.Collections.shuffle(calls, stage.random());
    for (var answer : Duplicates.atOnce(calls)) {
      if (!SAID.contains(answer.status())) {
        stage.tally().violation("a call of the race on %s gave %s".formatted(run, answer));
      }
    }
    stage.tally().fault("raced calls", calls.size());
    // Whoever lost every race is ended by hand.
    cluster.post("/v1/runs/" + run + "/cancel", "", Map.of());
  }

  private static Answer post(Replica replica, String path, String body) {
    return replica.once(
        Cluster.posting(replica, path, body, Map.of("Content-Type", "application/json")), 20);
  }

  private static List<String> questions(Cluster cluster, String run) {
    var found = new ArrayList<String>();
    if (cluster.get("/v1/runs/" + run + "/interrupts").get("items") instanceof ListValue items) {
      for (var item : items) {
        if (item instanceof ObjectValue question
            && question.getOr("status", Value.NULL).equals(Value.of("open"))
            && question.get("id") instanceof Value.Text(var id)) {
          found.add(id);
        }
      }
    }
    return found;
  }
}
