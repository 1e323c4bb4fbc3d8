package dev.superstep.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Writes the pages of the reference, which are built and not committed (ADR 244).
/// `docs/reference.md` says where their readers find them.
public final class Pages {
  private static final Path FOLDER = Path.of("target/docs");
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#\\s]+)");
  private static final Set<String> OF_THE_LANGUAGE =
      Set.of("graph.md", "nodes.md", "channels.md", "context.md", "errors.md");
  private static final JsonMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Pages() {}

  /// Writes pages, each of whose links leads to a committed page or to another one that is built.
  ///
  /// @param pages path below the folder → text
  public static void write(Map<String, String> pages) throws IOException {
    for (var page : pages.entrySet()) {
      var file = FOLDER.resolve(page.getKey());
      assertThat(LINK.matcher(page.getValue()).results().map(it -> it.group(1)).distinct())
          .as("links of %s", file)
          .allMatch(it -> isThere(file.resolveSibling(it).normalize()));
      Files.createDirectories(file.getParent());
      Files.writeString(file, page.getValue());
    }
  }

  private static boolean isThere(Path page) {
    return page.startsWith(FOLDER) ? built().contains(page) : Files.exists(page);
  }

  private static Set<Path> built() {
    var folder = FOLDER.resolve("reference");
    var pages =
        new ErrorCatalog()
            .all().stream()
                .map(it -> folder.resolve("errors").resolve(ErrorReferenceTests.file(it)))
                .collect(Collectors.toSet());
    OF_THE_LANGUAGE.forEach(it -> pages.add(folder.resolve(it)));
    return pages;
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
