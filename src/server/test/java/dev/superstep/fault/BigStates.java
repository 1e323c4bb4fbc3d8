package dev.superstep.fault;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/// States that grow to almost 16 MiB by blocks of incompressible text, while replicas are killed.
record BigStates(int runs) implements Scenario {
  private static final int BLOCK = 1_500_000;

  @Override
  public String name() {
    return "16 MiB states";
  }

  @Override
  public Cluster.Options options(Path folder) {
    return Cluster.Options.of(2)
        .lease(Duration.ofSeconds(4))
        .with(Map.of("SUPERSTEP_LIMITS_INPUTMAX", "4MB"));
  }

  @Override
  public void play(Stage stage) throws Exception {
    var cluster = stage.cluster();
    cluster.define(
        """
        name: big
        channels:
          blocks: { reducer: append }
          calls: { reducer: sum, default: 0 }
          log: { reducer: block_append }
        nodes:
          - { id: grow, type: expression, config: { update: { blocks: "{{ state.seed }}", grown: "{{ size(state.?blocks.orValue([])) }}" } } }
          - { id: work, type: http, retry: {}, config: { mode: function, url: '%s', state_keys: [calls] } }
        edges:
          - { from: __start__, to: grow }
          - { from: grow, to: work }
          - { from: work, condition: "state.calls < 9", to: grow }
        """
            .formatted(cluster.ledger().url()));
    var load = new Load(cluster, "big");
    var faults = new Faults(stage);
    Verdict.after(
        stage,
        load,
        () -> {
          for (int i = 0; i < runs; i++) {
            load.start("big", ObjectValue.of("seed", Value.of(noise(stage.random()))));
          }
          for (int kill = 0; kill < 2; kill++) {
            TimeUnit.MILLISECONDS.sleep(stage.random().nextInt(3_000));
            faults.kill();
          }
        });
    faults.measureTakeovers();
    largest(stage);
  }

  private static void largest(Stage stage) {
    long bytes =
        stage
            .cluster()
            .jdbc()
            .sql(
                """
                select max(delta_bytes + snapshot_bytes) from checkpoint
                """)
            .query(Long.class)
            .single();
    stage.tally().figure("largest_state_bytes", bytes);
    if (bytes < 12_000_000) {
      stage.tally().violation("the states grew to %d bytes only".formatted(bytes));
    }
  }

  private static String noise(RandomGenerator random) {
    var bytes = new byte[BLOCK / 2];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
