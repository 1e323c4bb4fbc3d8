package dev.superstep.definition.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.TestNodeTypes;
import dev.superstep.definition.read.ReadResult;
import dev.superstep.json.Yaml;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The graphs of docs/language.md: all are sound, and long forms are what the page says.
class LanguagePageTests {
  private static final Pattern BLOCK = Pattern.compile("(?s)```yaml\n(.*?)```");

  @Test
  void showsWhatShortFormsBecome() throws IOException {
    var blocks = blocks();
    int pairs = 0;
    for (int i = 0; i + 1 < blocks.size(); i++) {
      if (blocks.get(i).startsWith("# written")) {
        assertThat(blocks.get(i + 1)).startsWith("# long form");
        assertThat(read(blocks.get(i)).definition())
            .isEqualTo(read(blocks.get(i + 1)).definition());
        pairs++;
      }
    }
    assertThat(pairs).isPositive();
  }

  @Test
  void showsSoundGraphs() throws IOException {
    assertThat(blocks())
        .allSatisfy(it -> {
          assertThat(read(it).errors()).isEmpty();
          assertThat(read(it).warnings()).isEmpty();
        });
  }

  private static List<String> blocks() throws IOException {
    var page = Files.readString(Path.of("docs/language.md"));
    return BLOCK
        .matcher(page)
        .results()
        .map(it -> it.group(1))
        .filter(it -> it.contains("nodes:"))
        .toList();
  }

  private static ReadResult read(String block) {
    return TestNodeTypes.READER.read(((ObjectValue) Yaml.read(block)).plus("name", Value.of("g")));
  }
}
