package dev.superstep.definition.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Mistake;
import dev.superstep.json.Json;
import dev.superstep.json.JsonLimits;
import dev.superstep.json.Schemas;
import dev.superstep.json.Yaml;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// The JSON Schema that editors read: of every key, and of `config` by node type.
@GraphApiTest
class EditorSchemaApiTests {
  private static final Path COPY = Path.of("docs/graph.schema.json");
  private static final JsonMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  @LocalServerPort private int port;
  private GraphApi.Answer answer;
  private ValueCheck schema;

  @BeforeEach
  void read() {
    answer = new GraphApi(port).get("/v1/schema.json").hasStatus(200);
    schema = Schemas.compile(Json.read(answer.body()));
  }

  @Test
  void acceptsEveryDefinitionOfTheRepository() throws IOException {
    var definitions = definitions();
    assertThat(definitions).hasSizeGreaterThan(20);
    for (var file : definitions) {
      assertThat(schema.check(yaml(Files.readString(file)))).as("%s", file).isEmpty();
    }
  }

  private static Value yaml(String text) {
    return Yaml.read(text, JsonLimits.DEFAULT);
  }

  private static List<Path> definitions() throws IOException {
    try (var examples = Files.walk(Path.of("examples"));
        var others = Files.walk(Path.of("src/server/test/resources/language/old"))) {
      return Stream.concat(examples, others)
          .filter(it -> it.toString().endsWith(".yaml"))
          .filter(it ->
              !Set.of("application.yaml", "recorded.yaml").contains(it.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nodez: []                                                   |                          | nodez
          strict_channels: maybe                                      | /strict_channels         |
          channels: {a: {reducer: apend}}                             | /channels/a              |
          edges: [{from: a, too: b}]                                  | /edges/0                 | too
          nodes: [{id: a, type: lm}]                                  | /nodes/0/type            |
          nodes: [{id: a, type: llm, config: {promt: x}}]             | /nodes/0/config          | promt
          nodes: [{id: a, type: http, config: {url: 3}}]              | /nodes/0/config/url      |
          nodes: [{id: a, type: http}]                                | /nodes/0                 | config
          nodes: [{id: a, type: router, switch: [{wen: x}]}]          | /nodes/0/switch          | wen
          nodes: [{id: a, type: router, retry: {max_attempts: many}}] | /nodes/0/retry           |
          """)
  void findsMistakes(String line, String pointer, String word) {
    var definition =
        "name: g\n" + line + (line.startsWith("nodes:") ? "" : "\nnodes: [{id: n, type: router}]");

    var found = schema.check(yaml(definition));

    assertThat(found)
        .as(definition)
        .anyMatch(it -> it.pointer().startsWith(pointer == null ? "" : pointer) && says(it, word));
  }

  @Test
  void findsOfTheCorpusWhatASchemaCanSee() {
    for (var mistake : Mistake.all()) {
      if (mistake.problems().stream().noneMatch(it -> isSyntax(it))) {
        assertThat(!schema.check(yaml(mistake.definition())).isEmpty())
            .as(mistake.title())
            .isEqualTo(mistake.inEditor());
      }
    }
  }

  /// An editor's own reading finds these.
  private static boolean isSyntax(ObjectValue problem) {
    return problem.get("code") instanceof Value.Text(var code)
        && (code.startsWith("malformed_")
            || code.startsWith("yaml_")
            || code.equals("duplicate_key")
            || code.equals("key_not_string"));
  }

  private static boolean says(ValueCheck.Mismatch mismatch, String word) {
    return word == null || (mismatch.pointer() + mismatch.message()).contains(word);
  }

  @Test
  void acceptsWhatAuthorsMayWriteShort() {
    var definition =
        """
        $schema: ./graph.schema.json
        x-owner: team-a
        name: short
        channels: { a: }
        context: { history: unbounded }
        nodes:
          - { id: a, type: router, next: b }
          - { id: b, type: human, config: { payload: "{{ state.a }}" }, context_filter: [{ rules: [] }] }
        interrupt_before: "*"
        """;
    assertThat(schema.check(yaml(definition))).isEmpty();
  }

  /// For editors that cannot ask a server. Written by `mvn -q -Pquick test
  /// -Dtest=EditorSchemaApiTests -Dsuperstep.schema.write=true`.
  @Test
  void isKeptInTheRepository() throws IOException {
    var tree = PRETTY.readTree(answer.body());
    if (Boolean.getBoolean("superstep.schema.write")) {
      Files.writeString(COPY, PRETTY.writeValueAsString(tree) + "\n");
    }
    assertThat(PRETTY.readTree(Files.readString(COPY))).isEqualTo(tree);
  }

  @Test
  void mayBeCached() {
    assertThat(answer.header("Cache-Control")).isEqualTo("max-age=300, private");
    assertThat(Json.read(answer.body())).isNotEqualTo(Value.NULL);
  }
}
