package dev.superstep.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.CelFunctionDecl;
import dev.superstep.agent.Mistake;
import dev.superstep.context.Transforms;
import dev.superstep.definition.form.Reducers;
import dev.superstep.expression.CelFunctions;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The pages of the graph language, which this test builds ([Pages]).
class LanguageReferenceTests {
  private static final Pattern DEFAULT = Pattern.compile(" ?Default: ([^.]*(?:\\.(?! )[^.]*)*)\\.");
  private static final int EXAMPLE_MAX = 110;

  /// Of the text of a definition, before it has keys.
  private static final Set<String> OF_TEXTS =
      Set.of(
          "duplicate_key",
          "key_not_string",
          "malformed_json",
          "malformed_yaml",
          "number_not_representable",
          "yaml_alias",
          "yaml_tag");

  private final LanguageSchema schema;
  private final LanguageExamples examples;

  LanguageReferenceTests() throws IOException {
    schema = LanguageSchema.read();
    examples = LanguageExamples.read(schema);
  }

  @Test
  void writesThePagesOfTheLanguage() throws IOException {
    Pages.write(
        Map.of(
            "reference/graph.md", graph(),
            "reference/nodes.md", nodes(),
            "reference/channels.md", reducers(),
            "reference/context.md", transforms()));
  }

  @Test
  void hasADescriptionAndAnExampleOfEveryKey() {
    var lacking = new ArrayList<String>();
    var tables = new ArrayList<>(schema.tables());
    tables.addAll(schema.nodeTypes());
    for (var table : tables) {
      LanguageSchema.properties(schema.table(table))
          .forEach((key, value) -> {
            if (examples.of(table, key).isEmpty()
                || LanguageSchema.text(value, "description").isEmpty()) {
              lacking.add(table + "." + key);
            }
          });
    }
    assertThat(lacking).isEmpty();
  }

  @Test
  void explainsEveryFunctionThatIsAddedToCel() throws IOException {
    var page = Files.readString(Path.of("docs/expressions.md"));
    assertThat(new CelFunctions().declarations())
        .extracting(CelFunctionDecl::name)
        .filteredOn(it -> it.matches("[a-z][a-z_]*"))
        .hasSizeGreaterThan(10)
        .allSatisfy(it -> assertThat(page).contains("`" + it + "("));
  }

  @Test
  void namesOnlyCodesThatAreExplained() {
    var known = new ErrorCatalog();
    for (var table : schema.tables()) {
      LanguageSchema.properties(schema.table(table)).values().stream()
          .flatMap(it -> LanguageSchema.texts(it, "x-error-codes").stream())
          .forEach(it -> assertThat(known.find(it)).as(it).isPresent());
    }
  }

  /// What the service says of mistakes is among the codes of the key.
  @Test
  void listsTheCodesThatMistakesGive() {
    var lacking = new TreeSet<String>();
    for (var mistake : Mistake.all()) {
      for (var problem : mistake.problems()) {
        var pointer = LanguageSchema.text(problem, "pointer");
        var key = pointer.isEmpty() ? List.<String>of() : schema.find(pointer);
        var code = LanguageSchema.text(problem, "code");
        if (!key.isEmpty()
            && !key.getLast().isEmpty()
            && !OF_TEXTS.contains(code)
            && !codes(key).contains(code)) {
          lacking.add("%s.%s: %s".formatted(key.getFirst(), key.getLast(), code));
        }
      }
    }
    assertThat(lacking).isEmpty();
  }

  private List<String> codes(List<String> key) {
    var properties = LanguageSchema.properties(schema.table(key.getFirst()));
    return LanguageSchema.texts(
        properties.getOrDefault(key.getLast(), ObjectValue.empty()), "x-error-codes");
  }

  private String graph() {
    var page =
        new StringBuilder(
            """
            # Every key of a graph

            All objects of the [graph language](../../../docs/language.md) with all of their keys. Keys with * are required. An object may also have `$schema` and keys that begin with `x-`, which mean nothing; any other key is [`unknown_field`](errors/unknown_field.md). A key without a value counts as absent.

            The last column lists the [codes](errors.md) that a key can be refused or warned of with. The examples are taken from definitions that post as valid. What `config` of a node takes is on the page of [node types](nodes.md); an editor with the [schema](../../../docs/editor.md) shows the same descriptions.
            """);
    schema.tables().forEach(it -> page.append(table(it)));
    return page.toString();
  }

  private String table(String name) {
    var rows =
        LanguageSchema.properties(schema.table(name)).entrySet().stream()
            .map(it -> row(name, it.getKey(), it.getValue()))
            .collect(Collectors.joining());
    return "\n## %s\n\n| key | type | default | is | example | codes |\n|---|---|---|---|---|---|\n%s"
        .formatted(LanguageSchema.title(name), rows);
  }

  private String row(String table, String key, ObjectValue value) {
    return "| `%s`%s | %s | %s | %s | %s | %s |\n"
        .formatted(
            key,
            isRequired(table, key) ? " *" : "",
            Pages.cell(LanguageSchema.type(value)),
            standard(value).isEmpty() ? "" : "`" + standard(value) + "`",
            Pages.cell(LanguageSchema.text(value, "description")),
            example(examples.of(table, key)),
            LanguageSchema.texts(value, "x-error-codes").stream()
                .map(it -> "[`%s`](errors/%s.md)".formatted(it, it))
                .collect(Collectors.joining(" ")));
  }

  private boolean isRequired(String table, String key) {
    return LanguageSchema.texts(schema.table(table), "required").contains(key);
  }

  private static String standard(ObjectValue value) {
    return value.has("default") ? LanguageSchema.plain(value.getOr("default", Value.NULL)) : "";
  }

  /// Longer ones end in dots: the whole would be no help in a table.
  private static String example(String json) {
    if (json.isEmpty()) {
      return "";
    }
    var shown =
        json.codePointCount(0, json.length()) <= EXAMPLE_MAX
            ? json
            : json.substring(0, json.offsetByCodePoints(0, EXAMPLE_MAX)) + " …";
    return "`` %s ``".formatted(Pages.cell(shown));
  }

  private String nodes() {
    var page =
        new StringBuilder(
            """
            # Node types

            What `config` of each node type takes. Keys with * are required. Strings are [templates](../../../docs/expressions.md#templates) unless it says otherwise. Keys that all nodes have are on the page of [graphs](graph.md#node).

            A `config` that does not fit is refused with [`invalid_config`](errors/invalid_config.md), an unknown key with [`unknown_field`](errors/unknown_field.md), a template that cannot be read with [`invalid_expression`](errors/invalid_expression.md). `GET /v1/node-types` has the JSON Schemas of the types that a server has, those of extensions included.
            """);
    schema.nodeTypes().forEach(it -> page.append(nodeType(it)));
    return page.toString();
  }

  private String nodeType(String name) {
    var table = schema.table(name);
    var rows = new StringBuilder();
    LanguageSchema.properties(table)
        .forEach((key, value) -> rows.append(configRow(name, key, value)));
    var header = "| key | type | default | is | example |\n|---|---|---|---|---|\n";
    return "\n## %s\n\n%s\n\n%s\n%s"
        .formatted(
            LanguageSchema.title(name),
            LanguageSchema.text(table, "description"),
            rows.isEmpty() ? "It has no `config`.\n" : header + rows,
            examples(table));
  }

  private String configRow(String type, String key, ObjectValue value) {
    var text = LanguageSchema.text(value, "description");
    var said = DEFAULT.matcher(text);
    var standard = standard(value).isEmpty() ? "" : "`" + standard(value) + "`";
    if (standard.isEmpty() && said.find()) {
      standard = said.group(1).strip();
      text = said.replaceFirst("").strip();
    }
    return "| `%s`%s | %s | %s | %s | %s |\n"
        .formatted(
            key,
            isRequired(type, key) ? " *" : "",
            Pages.cell(
                LanguageSchema.object(value, "properties").has("update")
                    ? "a node result, with the keys of [expression](#expression)"
                    : LanguageSchema.type(value)),
            Pages.cell(standard),
            Pages.cell(text),
            example(examples.of(type, key)));
  }

  private static String examples(ObjectValue table) {
    if (!(table.get("examples") instanceof ListValue list)) {
      return "";
    }
    return list.stream()
        .filter(it -> !it.equals(ObjectValue.empty()))
        .map(it -> "```json\n%s\n```\n".formatted(Pages.pretty(it)))
        .collect(Collectors.joining("\n"));
  }

  private static String reducers() {
    var rows =
        Reducers.ALL.stream()
            .map(it ->
                "| `%s` | %s | %s |\n"
                    .formatted(it.name(), it.takes().wanted(), Pages.cell(it.text())))
            .collect(Collectors.joining());
    return """
    # Reducers

    A channel's `reducer` says how it takes what nodes write. [Channels](../../../docs/channels.md) explains them; all keys of a channel are on the page of [graphs](graph.md#channel). What a channel cannot take fails the task, with [`reducer_failed`](errors/reducer_failed.md) for the most part.

    | reducer | its `default` is | it |
    |---|---|---|
    %s\
    """
        .formatted(rows);
  }

  private static String transforms() {
    var rows =
        Transforms.BUILT_IN.all().stream()
            .map(it ->
                "| `%s` | `%s` | %s |\n".formatted(it.name(), it.example(), Pages.cell(it.text())))
            .collect(Collectors.joining());
    return """
    # Transforms of the prompt context

    What `transform` of a [context filter](graph.md#context-filter-rule) can call. [Prompt contexts](../../../docs/prompt-context.md) explains filters. `GET /v1/context-transforms` lists those of a server, `GET /v1/context-processors` its processors, which extensions bring.
    An unknown one is [`unknown_transform`](errors/unknown_transform.md), one with other arguments [`invalid_transform`](errors/invalid_transform.md).

    | transform | written | it |
    |---|---|---|
    %s\
    """
        .formatted(rows);
  }
}
