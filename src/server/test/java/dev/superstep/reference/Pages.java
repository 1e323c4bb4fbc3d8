package dev.superstep.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// The generated pages under `docs/reference`. All of them are written anew by `mvn -q -Pquick test
/// -Dtest='*Reference*Tests' -Dsuperstep.reference.write=true`.
final class Pages {
  static final Path FOLDER = Path.of("docs/reference");
  private static final JsonMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Pages() {}

  /// Compares pages with the committed ones, or writes them.
  ///
  /// @param pages path below the folder → text
  static void check(Map<String, String> pages) throws IOException {
    for (var page : pages.entrySet()) {
      var file = FOLDER.resolve(page.getKey());
      if (Boolean.getBoolean("superstep.reference.write")) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, page.getValue());
      }
      assertThat(file)
          .as("write it by -Dsuperstep.reference.write=true")
          .content()
          .isEqualTo(page.getValue());
    }
  }

  /// For those who open the file; readers of the page do not see it.
  static String generatedBy(Class<?> test) {
    return "\n<!-- Generated: %s says how. -->\n".formatted(test.getSimpleName());
  }

  static String pretty(Value value) {
    return PRETTY
        .writeValueAsString(PRETTY.readTree(Json.write(value)))
        .replaceAll("(?m)^( *\"[^\"]*\") : ", "$1: ");
  }

  /// A text in a cell of a table.
  static String cell(String text) {
    return text.replace("|", "\\|").replace("\n", " ");
  }
}
