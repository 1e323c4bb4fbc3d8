package dev.superstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What `examples/README.md` says of the length of programs. Lines that are neither empty nor a
/// comment count, on both sides; of a definition those of its tests do not.
class ProgramTests {
  private static final int TOGETHER_MAX = 170;
  private static final int LINE_MAX = 120;

  @ParameterizedTest
  @EnumSource
  void isNoLongerThanItsOriginal(Program program) throws IOException {
    assertThat(count(program.definition())).isLessThanOrEqualTo(count(program.original()));
  }

  /// A short program of long lines would be no short program.
  @ParameterizedTest
  @EnumSource
  void hasNoLongLines(Program program) throws IOException {
    assertThat((program.whole() + program.original()).lines())
        .allSatisfy(it -> assertThat(it).hasSizeLessThanOrEqualTo(LINE_MAX));
  }

  @Test
  void countsAsThePageSays() throws IOException {
    var rows = new ArrayList<String>();
    long together = 0;
    long originals = 0;
    for (var program : Program.values()) {
      long lines = count(program.definition());
      long original = count(program.original());
      rows.add("| [%1$s](%1$s) | %2$d | %3$d |".formatted(program.folder(), lines, original));
      together += lines;
      originals += original;
    }
    rows.add("| together | %d | %d |".formatted(together, originals));

    assertThat(Files.readString(Path.of("examples/README.md"))).contains(String.join("\n", rows));
    assertThat(together).isLessThanOrEqualTo(TOGETHER_MAX);
  }

  @ParameterizedTest
  @EnumSource
  void standsBesideItsOriginalOnThePage(Program program) throws IOException {
    assertThat(Files.readString(Path.of("docs/migrate-from-langgraph.md")))
        .contains(
            "](../examples/%s/graph.yaml)".formatted(program.folder()),
            "](../examples/%s/langgraph.py)".formatted(program.folder()),
            "](../examples/%s/README.md)".formatted(program.folder()));
  }

  private static long count(String text) {
    return text.lines()
        .map(String::strip)
        .filter(it -> !it.isEmpty() && !it.startsWith("#"))
        .count();
  }
}
