package dev.superstep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Yaml;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The `yaml` blocks of the pages under `docs/` and of the README. One with `nodes` is a
/// definition: it posts without a word said about it, and passes the tests that it carries. All
/// others are YAML. Models are not read here: that the types of their nodes are unavailable is no
/// problem of a page.
class PageGraphsTests {
  private static final Pattern BLOCK =
      Pattern.compile("^```yaml\\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern NODES = Pattern.compile("^nodes:", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("^name:", Pattern.MULTILINE);
  private static final Pattern TESTS = Pattern.compile("^tests:", Pattern.MULTILINE);

  /// One block of a page, named in reports by where it begins.
  record Block(String place, String text) {
    /// Fragments of the language reference are definitions without a name.
    String definition() {
      return NAME.matcher(text).find() ? text : "name: unnamed\n" + text;
    }

    @Override
    public String toString() {
      return place;
    }
  }

  static List<Block> definitions() throws IOException {
    return blocks().stream().filter(it -> NODES.matcher(it.text()).find()).toList();
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void postsWithoutAProblem(Block block) {
    var readResult = TestedDefinition.read(block.definition());

    assertThat(readResult.errors()).isEmpty();
    assertThat(readResult.warnings())
        .filteredOn(it -> !it.code().equals("node_type_unavailable"))
        .isEmpty();
  }

  static List<Block> tested() throws IOException {
    return definitions().stream().filter(it -> TESTS.matcher(it.text()).find()).toList();
  }

  @ParameterizedTest
  @MethodSource("tested")
  void passesItsTests(Block block) {
    ExampleTestsTests.requirePassed(block.definition());
  }

  @Test
  void areAllYaml() throws IOException {
    assertThat(blocks())
        .isNotEmpty()
        .allSatisfy(it -> assertThat(Yaml.read(it.text())).as(it.place()).isNotNull());
  }

  /// What a reader copies from the cookbook can be posted as it stands, and says by its tests what
  /// it does.
  @Test
  void areWholeAndTestedInTheCookbook() throws IOException {
    var recipes =
        blocks().stream().filter(it -> it.place().startsWith("docs/cookbook.md")).toList();

    assertThat(recipes).hasSizeGreaterThanOrEqualTo(9);
    assertThat(recipes)
        .allSatisfy(it ->
            assertThat(((ObjectValue) Yaml.read(it.text())).asMap().keySet())
                .as(it.place())
                .contains("name", "nodes", "tests"));
  }

  private static List<Block> blocks() throws IOException {
    var blocks = new ArrayList<Block>();
    for (var page : pages()) {
      var text = Files.readString(page);
      BLOCK
          .matcher(text)
          .results()
          .forEach(it -> {
            long line = text.substring(0, it.start()).lines().count() + 1;
            blocks.add(new Block("%s:%d".formatted(page, line), it.group(1)));
          });
    }
    return blocks;
  }

  private static List<Path> pages() throws IOException {
    try (var docs = Files.list(Path.of("docs"))) {
      return Stream.concat(Stream.of(Path.of("README.md")), docs.sorted())
          .filter(it -> it.toString().endsWith(".md"))
          .toList();
    }
  }
}
