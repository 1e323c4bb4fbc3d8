package dev.superstep.fault;

import dev.superstep.fault.extension.Halt;
import dev.superstep.state.value.ObjectValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/// Graphs that are a danger to their server: a node that kills every process that runs it, and one
/// that dispatches to itself for ever. Both fail, loudly and soon; the runs beside them end well.
record Poison() implements Scenario {
  private static final int TAKEOVERS_MAX = 2;

  @Override
  public String name() {
    return "poison and self-dispatching graphs";
  }

  @Override
  public Cluster.Options options(Path folder) throws Exception {
    var settings = new HashMap<>(ExtensionJar.of(folder, Halt.class));
    settings.put("SUPERSTEP_TAKEOVERSMAX", Integer.toString(TAKEOVERS_MAX));
    return Cluster.Options.of(3).lease(Duration.ofSeconds(2)).with(settings);
  }

  @Override
  public void play(Stage stage) throws Exception {
    var cluster = stage.cluster();
    define(cluster);
    var load = new Load(cluster, "beside");
    var bad = new TreeMap<String, String>();
    Verdict.after(
        stage,
        load,
        () -> {
          load.start(5);
          var poisoned = new Load(cluster, "poison");
          bad.put(poisoned.start("endless", ObjectValue.empty()), "max_supersteps_exceeded");
          bad.put(poisoned.start("poison", ObjectValue.empty()), "poison_run");
          Awaitility.await("that both have failed")
              .atMost(Duration.ofSeconds(150))
              .pollInterval(Duration.ofMillis(200))
              .until(() -> {
                revive(stage);
                return bad.keySet().stream().allMatch(it -> failed(cluster, it));
              });
          revive(stage);
          cluster.replicas().forEach(Replica::awaitReady);
        });
    bad.forEach((run, code) -> {
      var error = cluster.get("/v1/runs/" + run).get("error").toString();
      if (!error.contains(code)) {
        stage.tally().violation("%s should say %s; it says %s".formatted(run, code, error));
      }
    });
  }

  private static void define(Cluster cluster) {
    cluster.define(
        """
        name: poison
        nodes:
          - { id: halt, type: function, config: { function: halt } }
        edges:
          - { from: __start__, to: halt }
        """);
    cluster.define(
        """
        name: endless
        channels:
          n: { reducer: sum, default: 0 }
        nodes:
          - { id: again, type: expression, targets: [again], config: { update: { n: 1 }, dispatch: "{{ [{'node': 'again', 'input': {}}, {'node': 'again', 'input': {}}] }}" } }
        edges:
          - { from: __start__, to: again }
        limits: { max_supersteps: 8 }
        """);
  }

  private static boolean failed(Cluster cluster, String run) {
    return cluster.tryGet("/v1/runs/" + run).text("status").equals("failed");
  }

  /// Starts what the poison has ended.
  private static void revive(Stage stage) {
    for (var replica : stage.cluster().replicas()) {
      if (!replica.alive()) {
        stage.tally().fault("processes ended by a node");
        stage.tally().allowRepeats(stage.cluster().unrecorded());
        replica.start();
      }
    }
  }
}
