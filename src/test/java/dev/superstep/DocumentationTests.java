package dev.superstep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DocumentationTests {
  private static final Path DOCS = Path.of("docs");
  private static final Path SOURCES = Path.of("src/main/java/dev/superstep");
  private static final Pattern TYPE = Pattern.compile("`((?:[a-z]+\\.)+)([A-Z]\\w+)(?:#(\\w+))?`");
  private static final Pattern MAIN_CLASS =
      Pattern.compile("\\bdev\\.superstep\\.[.\\w]*[A-Z]\\w+");
  private static final List<Path> ROOTS =
      List.of(Path.of("src/main/java"), Path.of("src/bench/java"));
  private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
  private static final Pattern ANCHOR =
      Pattern.compile("]\\(((?!https?:)[^)#\\s]*\\.md|)#([^)\\s]+)\\)");
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#\\s]+)(?:#[^)]*)?\\)");

  @Test
  void namesOnlyTypesThatExist() throws IOException {
    var named =
        TYPE.matcher(Files.readString(DOCS.resolve("architecture.md")))
            .results()
            .map(it -> it.group(1).replace('.', '/') + it.group(2) + ".java")
            .distinct()
            .toList();
    assertThat(named).hasSizeGreaterThan(40);
    assertThat(named).allSatisfy(it -> assertThat(SOURCES.resolve(it)).exists());
  }

  @Test
  void namesOnlyMembersThatExist() throws IOException {
    var named =
        TYPE.matcher(Files.readString(DOCS.resolve("architecture.md")))
            .results()
            .filter(it -> it.group(3) != null)
            .toList();
    assertThat(named).hasSizeGreaterThan(20);
    assertThat(named)
        .allSatisfy(it ->
            assertThat(SOURCES.resolve(it.group(1).replace('.', '/') + it.group(2) + ".java"))
                .content()
                .containsPattern("\\w[>\\]]? %s(\\(| =)".formatted(it.group(3))));
  }

  /// A profile that starts the service by a name that is gone fails only when it is used.
  @Test
  void startsOnlyClassesThatExist() throws IOException {
    var started =
        MAIN_CLASS
            .matcher(Files.readString(Path.of("pom.xml")))
            .results()
            .map(it -> it.group().replace('.', '/') + ".java")
            .distinct()
            .toList();
    assertThat(started).hasSizeGreaterThan(1).noneMatch(it -> it.contains("//"));
    assertThat(started)
        .allSatisfy(
            it -> assertThat(ROOTS).anySatisfy(root -> assertThat(root.resolve(it)).exists()));
  }

  @Test
  void listsEveryDecisionByTopic() throws IOException {
    var index = Files.readString(DOCS.resolve("adr/README.md"));
    assertThat(pages(DOCS.resolve("adr")))
        .filteredOn(it -> !it.endsWith("README.md"))
        .isNotEmpty()
        .allSatisfy(it -> assertThat(index).contains("](" + it.getFileName() + ")"));
  }

  /// A page that the table of contents lacks is found by nobody.
  @Test
  void listsEveryPageOfTheBook() throws IOException {
    var contents = Files.readString(DOCS.resolve("README.md"));
    try (var files = Files.list(DOCS)) {
      assertThat(files.map(it -> String.valueOf(it.getFileName())))
          .filteredOn(it -> it.endsWith(".md") && !it.equals("README.md"))
          .isNotEmpty()
          .allSatisfy(it -> assertThat(contents).contains("](" + it + ")"));
    }
  }

  @Test
  void linksOnlyToWhatIsThere() throws IOException {
    for (var page : pages(Path.of("."))) {
      assertThat(links(page))
          .as("links of %s", page)
          .allSatisfy(it -> assertThat(page.resolveSibling(it)).exists());
    }
  }

  /// By the names that repositories and the site give to headings.
  @Test
  void linksOnlyToHeadingsThatAreThere() throws IOException {
    for (var page : pages(Path.of("."))) {
      for (var link : ANCHOR.matcher(Files.readString(page)).results().toList()) {
        var target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        assertThat(anchors(target)).as("%s of %s", link.group(), page).contains(link.group(2));
      }
    }
  }

  private static List<String> anchors(Path page) throws IOException {
    return HEADING
        .matcher(Files.readString(page))
        .results()
        .map(it -> it.group(1).strip().toLowerCase(Locale.ROOT))
        .map(it -> it.replaceAll("[^\\p{L}\\p{N}\\s_-]", "").replaceAll("\\s", "-"))
        .toList();
  }

  private static List<String> links(Path page) throws IOException {
    return LINK.matcher(Files.readString(page)).results().map(it -> it.group(1)).toList();
  }

  private static List<Path> pages(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      return files
          .filter(it -> it.toString().endsWith(".md"))
          .filter(
              it -> !it.toString().matches(".*[/\\\\](target|node_modules|data|\\.git)[/\\\\].*"))
          .toList();
    }
  }
}
