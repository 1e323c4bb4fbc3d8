package dev.superstep.packaging;

import dev.superstep.fault.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The jar that people run.
class PackagedJarIT extends PackagedServiceContract {

  PackagedJarIT() throws IOException {
    super(
        Installation.packaged().resolveSibling("packaged-jar"),
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-jar",
            Installation.packaged().toString()));
  }
}
