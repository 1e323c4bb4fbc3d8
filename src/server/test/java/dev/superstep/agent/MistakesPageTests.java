package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.server.Pages;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The page of mistakes, which this test builds from the corpus; its messages are in users' words.
class MistakesPageTests {
  private static final Map<String, String> TOPICS = topics();

  /// Words of parsers and libraries, which mean nothing to authors.
  private static final List<String> PARSERS_WORDS =
      List.of(
          "overload",
          "undeclared reference",
          "mismatched input",
          "<EOF>",
          "token",
          "while parsing",
          "while scanning",
          "block mapping",
          "flow sequence",
          "regex",
          "enumeration",
          "required property",
          " found, ",
          "expecting",
          "Exception",
          "java.",
          "dev.superstep",
          "google.protobuf",
          "(code ",
          "*error*",
          "%elem");

  private static Map<String, String> topics() {
    var topics = new LinkedHashMap<String, String>();
    topics.put("YAML", "Text that is no YAML");
    topics.put("JSON", "Text that is no JSON");
    topics.put("Keys", "Keys");
    topics.put("Values", "Values");
    topics.put("References", "Nodes and where they lead");
    topics.put("Expressions", "Expressions");
    topics.put("Names", "Names in expressions");
    topics.put("Types", "Types in expressions");
    return topics;
  }

  static List<Mistake> mistakes() {
    return Mistake.all();
  }

  @Test
  void isWhatTheCorpusHolds() throws IOException {
    var page = page();
    Pages.write(Map.of("mistakes.md", page));
    assertThat(mistakes()).allSatisfy(it -> assertThat(page).contains("### " + it.title() + "\n"));
  }

  @Test
  void showsAHundredMistakesAndMore() {
    assertThat(mistakes()).hasSizeGreaterThanOrEqualTo(100);
    assertThat(mistakes()).extracting(Mistake::title).doesNotHaveDuplicates();
    assertThat(mistakes()).extracting(Mistake::topic).isSubsetOf(TOPICS.keySet());
    assertThat(mistakes()).extracting(Mistake::fix).doesNotContain("");
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void saysWhereAndInUsersWords(Mistake mistake) {
    assertThat(mistake.problems())
        .isNotEmpty()
        .allSatisfy(it -> {
          assertThat(Mistake.text(it, "message")).doesNotContain(PARSERS_WORDS);
          assertThat(number(it, "line")).isPositive();
          assertThat(number(it, "column")).isPositive();
        });
  }

  private static String page() {
    var page =
        new StringBuilder(
            """
            # Mistakes, and what is said about them

            What `POST /v1/graphs` and `POST /v1/graphs/validate` answer to common mistakes: the line, the message, and what to write instead. All problems of a definition are reported at once, with
            `pointer`, `code`, `line` and `column`. A warning does not refuse the definition. What an editor with the [schema](../../docs/editor.md) marks while you write is noted as such.
            """);
    for (var topic : TOPICS.entrySet()) {
      page.append("\n## ").append(topic.getValue()).append('\n');
      mistakes().stream()
          .filter(it -> it.topic().equals(topic.getKey()))
          .forEach(it -> page.append(entry(it)));
    }
    return page.toString();
  }

  private static String entry(Mistake mistake) {
    return "\n### %s\n\n```text\n%s```\n\n%s\n%s\n"
        .formatted(
            mistake.title(),
            snippet(mistake),
            mistake.problems().stream().map(it -> said(it)).collect(Collectors.joining()),
            "Instead: " + mistake.fix() + (mistake.inEditor() ? " (marked by editors)" : ""));
  }

  private static String said(ObjectValue problem) {
    return "- %d:%d%s: %s\n"
        .formatted(
            number(problem, "line"),
            number(problem, "column"),
            problem.has("warning") ? ", warning" : "",
            Mistake.text(problem, "message"));
  }

  /// The lines with problems, and marks below.
  private static String snippet(Mistake mistake) {
    var lines = mistake.definition().split("\n", -1);
    var columns = new TreeMap<Integer, TreeSet<Integer>>();
    for (var problem : mistake.problems()) {
      columns
          .computeIfAbsent(number(problem, "line"), _ -> new TreeSet<>())
          .add(number(problem, "column"));
    }
    int first = columns.firstKey() - 1;
    var shown = new StringBuilder();
    for (int i = 1; i <= columns.lastKey(); i++) {
      var line = i <= lines.length ? lines[i - 1] : "";
      if (i == first || columns.containsKey(i)) {
        shown.append(line).append('\n');
      }
      if (columns.containsKey(i)) {
        shown.append(marks(line, columns.get(i))).append('\n');
      }
    }
    return shown.toString();
  }

  private static String marks(String line, SortedSet<Integer> columns) {
    var marks = new StringBuilder();
    for (int column : columns) {
      while (marks.length() < column - 1) {
        marks.append(
            marks.length() < line.length() && line.charAt(marks.length()) == '\t' ? '\t' : ' ');
      }
      marks.append('^');
    }
    return marks.toString();
  }

  private static int number(ObjectValue problem, String key) {
    return problem.get(key) instanceof Value.Int(var number) ? (int) number : 0;
  }
}
