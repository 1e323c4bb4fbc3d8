package dev.superstep.fault;

import dev.superstep.fault.Replica.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/// I11: the same call to start a run, at the same moment on every replica, several times: by
/// idempotency key, and by a run id that the client gives.
record Duplicates(int rounds) implements Scenario {
  private static final int COPIES = 4;

  @Override
  public String name() {
    return "duplicated and raced posts";
  }

  @Override
  public void play(Stage stage) throws Exception {
    var load = new Load(stage.cluster(), "post");
    Verdict.after(
        stage,
        load,
        () -> {
          for (int round = 0; round < rounds; round++) {
            byKey(stage, load);
            byId(stage, load);
          }
        });
  }

  private static void byKey(Stage stage, Load load) throws Exception {
    var key = "raced-" + stage.cluster().newKey();
    var body = "{\"graph\":\"loop\",\"input\":{\"items\":%s}}".formatted(Shapes.items("loop"));
    race(stage, load, body, Map.of("Idempotency-Key", key));
  }

  private static void byId(Stage stage, Load load) throws Exception {
    var id = "raced-" + stage.cluster().newKey();
    var body =
        "{\"id\":\"%s\",\"graph\":\"loop\",\"input\":{\"items\":%s}}"
            .formatted(id, Shapes.items("loop"));
    race(stage, load, body, Map.of());
  }

  /// All answers name one run, or say that another call with the same key is on its way.
  private static void race(Stage stage, Load load, String body, Map<String, String> headers)
      throws InterruptedException, ExecutionException {
    var calls = new ArrayList<Callable<Answer>>();
    for (var replica : stage.cluster().replicas()) {
      for (int copy = 0; copy < COPIES; copy++) {
        calls.add(() ->
            replica.once(
                Cluster.posting(replica, "/v1/runs", body, headers)
                    .header("Content-Type", "application/json"),
                20));
      }
    }
    var ids = new HashSet<String>();
    var refused = new ArrayList<Answer>();
    for (var answer : atOnce(calls)) {
      if (answer.status() == 200 || answer.status() == 202) {
        ids.add(answer.text("id"));
      } else {
        refused.add(answer);
      }
    }
    stage.tally().fault("posts repeated", calls.size() - 1L);
    stage.tally().figurePlus("posts_refused", refused.size());
    if (ids.size() != 1) {
      stage.tally().violation("I11: %s made %s".formatted(headers.isEmpty() ? body : headers, ids));
    }
    refused.stream()
        .filter(it -> it.status() != 409)
        .forEach(it -> stage.tally().violation("I11: a repeated post gave " + it));
    ids.forEach(it -> load.adopt(it, "loop"));
  }

  static <T> List<T> atOnce(List<Callable<T>> calls)
      throws InterruptedException, ExecutionException {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var results = new ArrayList<T>();
      for (var future : executor.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    }
  }
}
