package dev.superstep;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Names in the sources of all modules are words of the field, and mean one thing each.
class WordsTests {
  private static final int SHARED_NAMES_MAX = 40;

  /// A birth id is a term of the specification, and a column.
  private static final String OTHER_WORDS = "birth|births|born|told|kin|asked|begun|ending|whoever";

  private static final Pattern COMMENT = Pattern.compile("(?m)//.*$");
  private static final Pattern TEXT_BLOCK = Pattern.compile("(?s)\"\"\"(.*?)\"\"\"");
  private static final Pattern TEXT = Pattern.compile("\"(?:\\\\.|[^\"\\\\\n])*\"");
  private static final Pattern STATEMENT =
      Pattern.compile("\\b(select|insert into|update|delete from)\\b");
  private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");
  private static final Pattern NESTED =
      Pattern.compile("(?m)^ +(?:[a-z-]+ )*(?:class|interface|record|enum) (\\w+)");
  private static final Pattern OTHER_WORD = Pattern.compile("\\b(?:" + OTHER_WORDS + ")\\b");
  private static final Pattern WORD_IN_TYPE =
      Pattern.compile("(?:Birth(?!Id)|Born|Told|Kin|Asked|Begun|Whoever)(?![a-z])");

  /// The name of a method, or of a component in the head of a record.
  private static final Pattern ACCESSOR =
      Pattern.compile(
          "(?s)(?!\\b(?:return|new|throw|else|yield)\\b)\\b[\\w>\\]?]+ (" + OTHER_WORDS + ")\\(");

  private static final Pattern COMPONENTS = Pattern.compile("(?s)\\brecord \\w+[^(]*\\(([^{]*)\\)");

  @Test
  void namesTypesInWordsOfTheField() throws IOException {
    assertThat(found(TYPE)).filteredOn(it -> WORD_IN_TYPE.matcher(it.getValue()).find()).isEmpty();
  }

  @Test
  void namesMethodsAndComponentsInWordsOfTheField() throws IOException {
    assertThat(found(ACCESSOR)).isEmpty();
    assertThat(found(COMPONENTS))
        .filteredOn(it -> OTHER_WORD.matcher(it.getValue()).find())
        .isEmpty();
  }

  @Test
  void writesStatementsInWordsOfTheField() throws IOException {
    var statements = new ArrayList<Map.Entry<Path, String>>();
    for (var source : Modules.sources()) {
      Stream.of(TEXT_BLOCK, TEXT)
          .flatMap(it -> it.matcher(uncommented(source)).results())
          .map(it -> it.group())
          .filter(it -> STATEMENT.matcher(it).find() && !it.contains("description"))
          .forEach(it -> statements.add(Map.entry(source, it)));
    }
    assertThat(statements).hasSizeGreaterThan(100);
    assertThat(statements).filteredOn(it -> OTHER_WORD.matcher(it.getValue()).find()).isEmpty();
  }

  @Test
  void sharesFewNamesOfNestedTypes() throws IOException {
    var names = found(NESTED).stream().collect(groupingBy(Map.Entry::getValue, counting()));
    assertThat(names.entrySet().stream().filter(it -> it.getValue() > 1))
        .hasSizeLessThanOrEqualTo(SHARED_NAMES_MAX);
  }

  /// The first group of each match in the code of all modules, with its file.
  private static List<Map.Entry<Path, String>> found(Pattern pattern) throws IOException {
    var found = new ArrayList<Map.Entry<Path, String>>();
    for (var source : Modules.sources()) {
      var code =
          TEXT.matcher(TEXT_BLOCK.matcher(uncommented(source)).replaceAll("")).replaceAll("");
      pattern.matcher(code).results().forEach(it -> found.add(Map.entry(source, it.group(1))));
    }
    return found;
  }

  private static String uncommented(Path source) {
    try {
      return COMMENT.matcher(Files.readString(source)).replaceAll("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
