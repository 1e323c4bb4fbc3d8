package dev.superstep.fault;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Replicas of the release before are replaced one after another under load, the first of them
/// makes the new schema while the others go on; then one goes back. Runs are begun before, between
/// and after; each ends as an undisturbed one, whichever releases have driven it.
record RollingUpgrade(String name, int runs, UnaryOperator<Cluster.Options> settings)
    implements Scenario {
  private static final String FROM = System.getProperty("fault.upgrade.from", "");

  @Override
  public Optional<String> skipped() {
    return FROM.isEmpty()
        ? Optional.of("-Dfault.upgrade.from=<jar of the release before> is not given")
        : Optional.empty();
  }

  @Override
  public Cluster.Options options(Path folder) {
    return settings.apply(Cluster.Options.of(2).command(RollingUpgrade::before));
  }

  /// The cache of classes is of one jar only.
  private static List<String> before(List<String> command) {
    var other = new ArrayList<>(command);
    other.removeIf(it -> it.startsWith("-XX:AOT"));
    other.set(other.size() - 1, Path.of(FROM).toAbsolutePath().toString());
    return other;
  }

  @Override
  public void play(Stage stage) throws Exception {
    var after = Installation.shared().command();
    var replicas = stage.cluster().replicas();
    var load = new Load(stage.cluster(), "upgrade");
    var faults = new Faults(stage);
    stage.tally().figure("schema_before", schema(stage.cluster()));
    Verdict.after(
        stage,
        load,
        () -> {
          load.start(runs);
          for (var replica : replicas) {
            faults.replace(replica, after);
            load.start(runs);
          }
          faults.replace(replicas.getFirst(), before(after));
          load.start(runs);
        });
    stage.tally().figure("schema_after", schema(stage.cluster()));
  }

  private static int schema(Cluster cluster) {
    return cluster
        .jdbc()
        .sql("select max(version::int) from flyway_schema_history")
        .query(Integer.class)
        .single();
  }
}
