package dev.superstep.fault;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/// Waves of runs of all shapes, and the same fault at a random moment behind each wave.
record Storm(String name, int waves, int runs, Fault fault, UnaryOperator<Cluster.Options> settings)
    implements Scenario {

  interface Fault {
    void strike(Faults faults) throws Exception;
  }

  Storm(String name, int waves, int runs, Fault fault) {
    this(name, waves, runs, fault, UnaryOperator.identity());
  }

  Storm with(UnaryOperator<Cluster.Options> others) {
    return new Storm(name, waves, runs, fault, others);
  }

  @Override
  public Cluster.Options options(Path folder) {
    return settings.apply(Cluster.Options.of(3));
  }

  @Override
  public void play(Stage stage) throws Exception {
    var load = new Load(stage.cluster(), name);
    var faults = new Faults(stage);
    Verdict.after(
        stage,
        load,
        () -> {
          for (int wave = 0; wave < waves; wave++) {
            load.start(runs);
            // Not a wait for something to happen, but the random moment itself.
            TimeUnit.MILLISECONDS.sleep(stage.random().nextInt(300));
            fault.strike(faults);
          }
        });
    faults.measureTakeovers();
  }
}
