package dev.superstep.fault;

import java.nio.file.Path;

/// Something that goes wrong.
interface Scenario {
  String name();

  /// @param folder for files that replicas are to find
  default Cluster.Options options(Path folder) throws Exception {
    return Cluster.Options.of(3);
  }

  /// Injects faults and says in the tally what broke.
  void play(Stage stage) throws Exception;
}
