package dev.superstep.testing.kit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class GraphTestsTests {
  private final GraphTests tests = GraphTests.of(Path.of("a.yaml"), Path.of("b.yaml"));

  private static List<String> shell(String script) {
    return List.of("sh", "-c", script, "test");
  }

  @Test
  void passesTheDefinitionsAndTheExtensions() {
    var script = "[ \"$*\" = '--extensions jars a.yaml b.yaml' ]";
    assertThatCode(() -> tests.extensions(Path.of("jars")).command(shell(script)).run())
        .doesNotThrowAnyException();
  }

  @Test
  void failsWithTheReport() {
    assertThatThrownBy(
            () -> tests.command(shell("echo passed one; echo FAILED two >&2; exit 1")).run())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the tests of [a.yaml, b.yaml] failed:")
        .hasMessageContaining("FAILED two");
  }

  @Test
  void saysWhatCannotBeRun() {
    assertThatThrownBy(() -> tests.command(List.of("/nowhere/java")).run())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("cannot run [/nowhere/java, a.yaml, b.yaml]");
  }

  @Test
  void needsADefinition() {
    assertThatThrownBy(GraphTests::of).hasMessage("name a definition");
  }
}
