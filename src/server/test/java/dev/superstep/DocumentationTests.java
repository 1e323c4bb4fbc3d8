package dev.superstep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocumentationTests {
  private static final Path DOCS = Path.of("docs");
  private static final Pattern TYPE = Pattern.compile("`((?:[a-z]+\\.)+)([A-Z]\\w+)(?:#(\\w+))?`");
  private static final Pattern MAIN_CLASS =
      Pattern.compile("\\bdev\\.superstep\\.[.\\w]*[A-Z]\\w+");
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>superstep-parent</artifactId>\\s*<version>([^<]+)</version>");
  private static final Pattern JAR = Pattern.compile("-jar (?!/path/)([^\\s`]+\\.jar)");
  private static final Pattern MODULE =
      Pattern.compile(
          "^\\| \\[`[a-z]+`]\\((src/[a-z]+)/README\\.md\\) \\| ([^|]+) \\|", Pattern.MULTILINE);
  private static final Pattern USED =
      Pattern.compile(
          "<artifactId>superstep-([a-z]+)</artifactId>\\s*<version>\\$\\{project.version}</version>"
              + "\\s*</dependency>");
  private static final Pattern WORD = Pattern.compile("`([^`]+)`");
  private static final Pattern MAVEN = Pattern.compile("\\bmvn [^\n`]+");
  private static final Pattern PROFILE = Pattern.compile("<profile>\\s*<id>([^<]+)</id>");
  private static final Pattern PROFILES = Pattern.compile(" -P([a-z,-]+)");
  private static final Pattern PROJECTS = Pattern.compile(" -pl (\\S+)");
  private static final Pattern OWN_TYPE = Pattern.compile("`([A-Z][a-z]+(?:[A-Z][a-z]+)+)[.`(]");
  private static final Set<String> OF_OTHERS =
      Set.of("ArrayList", "TreeMap", "ObjectProvider", "RetryTemplate", "ToolNode");
  private static final Pattern ARROW =
      Pattern.compile("^ {2}([a-z]+) --> (.+)$", Pattern.MULTILINE);
  private static final Pattern FIRST_BLOCK = Pattern.compile("```\n(.*?)```", Pattern.DOTALL);
  private static final Pattern TEST = Pattern.compile("-Dtest=('[^']+'|[\\w,*]+)");
  private static final Pattern SCRIPT =
      Pattern.compile(
          "`cd (\\S+) &&(?: npm (?:ci|install --no-save) &&)?"
              + " (?:npm run ([\\w:-]+)|node (\\S+?))`");
  private static final Pattern COUNT =
      Pattern.compile("(?i)\\b([a-z]+) (patterns|decisions|modules|programs)\\b");
  private static final List<String> NUMBERS =
      List.of("one two three four five six seven eight nine ten eleven twelve".split(" ", -1));
  private static final Pattern RATE =
      Pattern.compile(
          "\\b(\\d[\\d,.]*) (?:(?:runs|supersteps|commits|answers)(?:/s| a second| per second)|ms p50)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
  private static final Pattern ANCHOR =
      Pattern.compile("]\\(((?!https?:)[^)#\\s]*\\.md|)#([^)\\s]+)\\)");
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#\\s]+)(?:#[^)]*)?\\)");

  @Test
  void namesOnlyTypesThatExist() throws IOException {
    for (var page : guides()) {
      var named = types(page);
      assertThat(named).as("types of %s", page).isNotEmpty();
      for (var type : named) {
        assertThat(source(type)).as("%s of %s", type.group(), page).exists();
      }
    }
  }

  @Test
  void namesOnlyMembersThatExist() throws IOException {
    var members = new ArrayList<String>();
    for (var page : guides()) {
      for (var type : types(page)) {
        if (type.group(3) != null) {
          members.add(type.group());
          assertThat(source(type))
              .content()
              .containsPattern("\\w[>\\]]? %s(\\(| =)".formatted(type.group(3)));
        }
      }
    }
    assertThat(members).hasSizeGreaterThan(20);
  }

  /// Pages that lead through the code.
  private static List<Path> guides() throws IOException {
    return Stream.concat(
            Stream.of(DOCS.resolve("architecture.md")),
            Modules.folders().stream().map(it -> it.resolve("README.md")))
        .toList();
  }

  private static List<MatchResult> types(Path page) throws IOException {
    return TYPE.matcher(Files.readString(page)).results().toList();
  }

  private static Path source(MatchResult type) throws IOException {
    return source("dev.superstep." + type.group(1) + type.group(2));
  }

  /// The file of a type, in the module that has it; if none has, where one could.
  private static Path source(String type) throws IOException {
    var file = type.replace('.', '/') + ".java";
    return Stream.concat(
            Modules.folders().stream().map(it -> it.resolve("main/java")),
            Stream.of(Path.of("src/server/bench/java")))
        .map(it -> it.resolve(file))
        .filter(Files::exists)
        .findFirst()
        .orElse(Path.of(file));
  }

  /// A profile that starts the service by a name that is gone fails only when it is used.
  @Test
  void startsOnlyClassesThatExist() throws IOException {
    var started =
        MAIN_CLASS
            .matcher(Files.readString(Path.of("src/server/pom.xml")))
            .results()
            .map(MatchResult::group)
            .distinct()
            .toList();
    assertThat(started).hasSizeGreaterThan(1);
    for (var type : started) {
      assertThat(source(type)).exists();
    }
  }

  @Test
  void listsEveryDecisionByTopic() throws IOException {
    var index = Files.readString(DOCS.resolve("adr/README.md"));
    assertThat(pages(DOCS.resolve("adr")))
        .filteredOn(it -> !it.endsWith("README.md"))
        .isNotEmpty()
        .allSatisfy(it -> assertThat(index).contains("](" + it.getFileName() + ")"));
  }

  @Test
  void decidesAboutTypesThatExist() throws IOException {
    var known = new TreeSet<String>();
    for (var file : files(Path.of("src"), ".java")) {
      known.add(file.getFileName().toString().replace(".java", ""));
    }
    var named = new TreeSet<String>();
    for (var page : pages(DOCS.resolve("adr"))) {
      OWN_TYPE.matcher(Files.readString(page)).results().forEach(it -> named.add(it.group(1)));
    }
    named.removeAll(OF_OTHERS);
    assertThat(named).hasSizeGreaterThan(10).isSubsetOf(known);
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

  /// What a newcomer looks for first: a module or a package that stands nowhere, and one that is
  /// gone.
  @Test
  void laysOutEveryModuleWithItsPackages() throws IOException {
    var rows = MODULE.matcher(Files.readString(Path.of("CONTRIBUTING.md"))).results().toList();
    assertThat(rows.stream().map(it -> Path.of(it.group(1))))
        .containsExactlyElementsOf(Modules.folders());
    for (var row : rows) {
      assertThat(words(row.group(2)))
          .as(row.group(1))
          .containsExactlyInAnyOrderElementsOf(packages(Path.of(row.group(1))));
    }
  }

  /// The packages of a module without those within them, and without the root of all.
  private static List<String> packages(Path module) throws IOException {
    var root = module.resolve("main/java/dev/superstep");
    var all = new TreeSet<Path>();
    Modules.sources(module).forEach(it -> all.add(root.relativize(it.getParent())));
    all.remove(Path.of(""));
    return all.stream()
        .filter(it -> all.stream().noneMatch(of -> !of.equals(it) && it.startsWith(of)))
        .map(it -> it.toString().replace('/', '.'))
        .toList();
  }

  @Test
  void drawsTheArrowsBetweenModules() throws IOException {
    var drawn = new TreeSet<String>();
    for (var arrow :
        ARROW.matcher(Files.readString(DOCS.resolve("architecture.md"))).results().toList()) {
      for (var from : arrow.group(1).split(" & ", -1)) {
        for (var to : arrow.group(2).split(" & ", -1)) {
          drawn.add(from + " --> " + to);
        }
      }
    }
    var built = new TreeSet<String>();
    for (var module : Modules.folders()) {
      USED.matcher(Files.readString(module.resolve("pom.xml")))
          .results()
          .forEach(it -> built.add(module.getFileName() + " --> " + it.group(1)));
    }
    assertThat(drawn).isEqualTo(built);
  }

  @Test
  void beginsWithAPictureOfAllModules() throws IOException {
    var picture =
        FIRST_BLOCK.matcher(Files.readString(Path.of("CONTRIBUTING.md"))).results().findFirst();
    assertThat(Pattern.compile("[a-z]+").matcher(picture.orElseThrow().group(1)).results())
        .extracting(MatchResult::group)
        .containsExactlyInAnyOrderElementsOf(
            Modules.folders().stream().map(it -> it.getFileName().toString()).toList());
  }

  @Test
  void saysOfEveryModuleWhichOthersItUses() throws IOException {
    for (var module : Modules.folders()) {
      var pom = Files.readString(module.resolve("pom.xml"));
      assertThat(links(module.resolve("README.md")))
          .filteredOn(it -> it.matches("\\.\\./[a-z]+/README\\.md"))
          .as("modules that %s uses", module)
          .containsExactlyInAnyOrderElementsOf(
              USED.matcher(pom)
                  .results()
                  .map(it -> "../%s/README.md".formatted(it.group(1)))
                  .toList());
    }
  }

  @Test
  void listsEveryNodeType() throws IOException {
    var line =
        Files.readString(Path.of("README.md"))
            .lines()
            .filter(it -> it.startsWith("* **Node types:**"))
            .findFirst()
            .orElseThrow();
    try (var files = Files.list(Path.of("src/nodes/main/resources/node-types"))) {
      assertThat(words(line))
          .containsExactlyInAnyOrderElementsOf(
              files
                  .map(it -> it.getFileName().toString())
                  .filter(it -> it.endsWith(".json"))
                  .map(it -> it.substring(0, it.length() - 5))
                  .toList());
    }
  }

  private static List<String> words(String line) {
    return WORD.matcher(line).results().map(it -> it.group(1)).toList();
  }

  @Test
  void buildsWithProfilesAndModulesThatExist() throws IOException {
    var profiles = new ArrayList<>(named(PROFILE, Files.readString(Path.of("pom.xml"))));
    for (var module : Modules.folders()) {
      profiles.addAll(named(PROFILE, Files.readString(module.resolve("pom.xml"))));
    }
    for (var page : pages(Path.of("."))) {
      if (!page.startsWith("./docs/adr") && !page.endsWith("CHANGELOG.md")) {
        for (var command : MAVEN.matcher(Files.readString(page)).results().toList()) {
          assertThat(named(PROFILES, command.group()))
              .as("%s of %s", command.group(), page)
              .isSubsetOf(profiles);
          assertThat(named(PROJECTS, command.group()).stream().map(Path::of))
              .as("%s of %s", command.group(), page)
              .isSubsetOf(Modules.folders());
        }
      }
    }
  }

  @Test
  void runsTestsAndScriptsThatExist() throws IOException {
    var tests = new TreeSet<String>();
    for (var file : files(Path.of("src"), "Tests.java")) {
      tests.add(file.getFileName().toString().replace(".java", ""));
    }
    for (var page : pages(Path.of("."))) {
      var text = Files.readString(page);
      for (var named : TEST.matcher(text).results().toList()) {
        for (var name : named.group(1).replace("'", "").split(",", -1)) {
          assertThat(tests)
              .as("%s of %s", name, page)
              .anyMatch(it -> it.matches(name.replace("*", ".*")));
        }
      }
      for (var script : SCRIPT.matcher(text).results().toList()) {
        var folder = Path.of(script.group(1));
        if (script.group(2) == null) {
          assertThat(folder.resolve(script.group(3))).exists();
        } else {
          assertThat(folder.resolve("package.json"))
              .content()
              .contains("\"%s\":".formatted(script.group(2)));
        }
      }
    }
  }

  /// A pattern, a decision, a module or a program more, and five pages say another number.
  @Test
  void countsWhatThereIs() throws IOException {
    var counts =
        Map.of(
            "patterns",
            headings("cookbook.md", "## .*"),
            "decisions",
            headings("design.md", "## \\d+\\. .*"),
            "modules",
            (long) Modules.folders().size(),
            "programs",
            (long) files(Path.of("examples"), "langgraph.py").size());
    var said = new TreeSet<String>();
    for (var page : pages(Path.of("."))) {
      if (!page.startsWith("./docs/adr")) {
        for (var count : COUNT.matcher(Files.readString(page)).results().toList()) {
          long number = NUMBERS.indexOf(count.group(1).toLowerCase(Locale.ROOT)) + 1L;
          var noun = count.group(2).toLowerCase(Locale.ROOT);
          if (number > 2) {
            assertThat(counts).as("%s of %s", count.group(), page).containsEntry(noun, number);
            said.add(noun);
          }
        }
      }
    }
    assertThat(said).isEqualTo(counts.keySet());
  }

  private static long headings(String page, String heading) throws IOException {
    return Files.readAllLines(DOCS.resolve(page)).stream()
        .filter(it -> it.matches(heading))
        .count();
  }

  private static List<String> named(Pattern option, String command) {
    return option
        .matcher(command)
        .results()
        .flatMap(it -> Stream.of(it.group(1).split(",", -1)))
        .toList();
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
                "src/cli/target/superstep-cli.jar",
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
        for (var type : MAIN_CLASS.matcher(Files.readString(page)).results().toList()) {
          assertThat(source(type.group())).as("%s of %s", type.group(), page).exists();
        }
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

  /// Decisions say what was measured when they were made; every other rate stands where its command
  /// does.
  @Test
  void givesOnlyRatesThatTheBenchmarksGive() throws IOException {
    var benchmarks = Files.readString(DOCS.resolve("benchmarks.md"));
    assertThat(RATE.matcher(benchmarks).results()).hasSizeGreaterThan(3);
    for (var page : pages(Path.of("."))) {
      if (!page.startsWith("./docs/adr") && !page.endsWith("CHANGELOG.md")) {
        assertThat(RATE.matcher(Files.readString(page)).results().map(it -> it.group(1)))
            .as("rates of %s", page)
            .allSatisfy(
                it -> assertThat(benchmarks).containsPattern("(?<![\\d,.])" + it + "(?!\\d)"));
      }
    }
  }

  private static List<Path> pages(Path root) throws IOException {
    return files(root, ".md");
  }

  private static List<Path> files(Path root, String end) throws IOException {
    try (var files = Files.walk(root)) {
      return files
          .filter(it -> it.toString().endsWith(end))
          .filter(
              it -> !it.toString().matches(".*[/\\\\](target|node_modules|data|\\.git)[/\\\\].*"))
          .toList();
    }
  }
}
