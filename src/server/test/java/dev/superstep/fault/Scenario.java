package dev.superstep.fault;

import java.nio.file.Path;
import java.util.Optional;

/// Something that goes wrong.
interface Scenario {
  String name();

  /// @param folder for files that replicas are to find
  default Cluster.Options options(Path folder) throws Exception {
    return Cluster.Options.of(3);
  }

  /// Why it cannot be played on this machine.
  default Optional<String> skipped() {
    return Optional.empty();
  }

  /// Where a database of its own is to be; it has none by default.
  default Optional<Path> ownDatabase(Path folder) throws Exception {
    return Optional.empty();
  }

  /// Clears away what it has put up.
  default void after(Path folder) throws Exception {}

  /// Injects faults and says in the tally what broke.
  void play(Stage stage) throws Exception;
}
