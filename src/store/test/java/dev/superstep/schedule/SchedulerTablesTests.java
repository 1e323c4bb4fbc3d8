package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The tables of the scheduler are an internal matter of this package: other code uses the ports,
/// other tests use [ScheduledRows].
class SchedulerTablesTests {
  private static final Pattern TABLE = Pattern.compile("scheduled_(tasks|duties)");
  private static final Pattern OWN =
      Pattern.compile("src/\\w+/\\w+/java/dev/superstep/schedule/.+");

  @Test
  void areNamedInTheirPackageOnly() throws IOException {
    assertThat(naming(true)).hasSizeGreaterThan(2);

    assertThat(naming(false)).isEmpty();
  }

  private static List<Path> naming(boolean own) throws IOException {
    try (var sources = Files.walk(Path.of("src"))) {
      return sources
          .filter(it -> it.toString().endsWith(".java"))
          .filter(it -> isOwn(it) == own)
          .filter(SchedulerTablesTests::namesOne)
          .toList();
    }
  }

  private static boolean isOwn(Path source) {
    return OWN.matcher(source.toString()).matches();
  }

  private static boolean namesOne(Path source) {
    try {
      return TABLE.matcher(Files.readString(source)).find();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
