package dev.superstep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocumentationTests {
  private static final Path DOCS = Path.of("docs");
  private static final Path SOURCES = Path.of("src/main/java/dev/superstep");
  private static final Pattern TYPE = Pattern.compile("`((?:[a-z]+\\.)+)([A-Z]\\w+)(?:#(\\w+))?`");
  private static final Pattern MAIN_CLASS =
      Pattern.compile("\\bdev\\.superstep\\.[.\\w]*[A-Z]\\w+");
  private static final List<Path> ROOTS =
      List.of(Path.of("src/main/java"), Path.of("src/bench/java"));
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>superstep</artifactId>\\s*<version>([^<]+)</version>");
  private static final Pattern JAR = Pattern.compile("-jar (?!/path/)([^\\s`]+\\.jar)");
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

  /// What a newcomer looks for first: a package that stands nowhere, and one that is gone.
  @Test
  void laysOutEveryPackage() throws IOException {
    var layout = Files.readString(Path.of("CONTRIBUTING.md"));
    var tree = layout.substring(layout.indexOf("dev.superstep\n"));
    var named =
        tree.substring(0, tree.indexOf("```"))
            .lines()
            .skip(1)
            .map(it -> it.substring(2).strip().split(" {2,}", 2)[0])
            .flatMap(it -> Stream.of(it.split(" ", -1)))
            .toList();
    try (var folders = Files.list(SOURCES)) {
      assertThat(named)
          .containsExactlyInAnyOrderElementsOf(
              folders.filter(Files::isDirectory).map(it -> it.getFileName().toString()).toList());
    }
  }

  /// A line that a merge has doubled, or left without its beginning.
  @Test
  void saysEachChangeOnce() throws IOException {
    var lines = Files.readAllLines(Path.of("CHANGELOG.md"));
    assertThat(lines.stream().filter(it -> it.startsWith("- ")).map(DocumentationTests::beginning))
        .doesNotHaveDuplicates();
    assertThat(lines.stream().filter(it -> it.startsWith("  "))).doesNotHaveDuplicates();
  }

  private static String beginning(String line) {
    return line.substring(0, Math.min(70, line.length()));
  }

  /// `cd app` leads to what `trained.sh` has laid out there, `/path/` is the reader's own.
  @Test
  void startsOnlyJarsThatTheBuildMakes() throws IOException {
    var pom = Files.readString(Path.of("pom.xml"));
    var version = VERSION.matcher(pom).results().findFirst().orElseThrow().group(1);
    for (var page : pages(DOCS)) {
      if (!page.startsWith(DOCS.resolve("adr"))) {
        assertThat(Files.readString(page).lines().filter(it -> !it.contains("cd app &&")))
            .flatExtracting(it -> JAR.matcher(it).results().map(jar -> jar.group(1)).toList())
            .as("jars of %s", page)
            .isSubsetOf(
                "target/superstep-%s.jar".formatted(version),
                "target/superstep-%s-server.jar".formatted(version),
                "superstep-….jar",
                "superstep-…-server.jar");
      }
    }
  }

  /// What extensions and applications import stands on pages by its whole name.
  @Test
  void namesOnlyPublishedTypesThatExist() throws IOException {
    for (var page : pages(DOCS)) {
      if (!page.startsWith(DOCS.resolve("adr"))) {
        assertThat(MAIN_CLASS.matcher(Files.readString(page)).results().map(MatchResult::group))
            .as("types of %s", page)
            .allSatisfy(it ->
                assertThat(ROOTS)
                    .anySatisfy(
                        root -> assertThat(root.resolve(it.replace('.', '/') + ".java")).exists()));
      }
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
