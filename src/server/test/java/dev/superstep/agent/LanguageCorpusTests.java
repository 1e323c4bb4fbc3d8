package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What posting says of a corpus of definitions: mistakes, each with every problem in full, and
/// sound ones, of which it says nothing.
@AgentTest
class LanguageCorpusTests {
  @LocalServerPort int port;

  @Test
  void saysOfEachMistakeWhatIsWrongAndWhere() {
    var service = new Service(port);
    var differences = new ArrayList<String>();
    for (var mistake : Mistake.all()) {
      var found = service.everything(mistake.definition());
      if (!found.equals(mistake.problems())) {
        differences.add(
            "%s%n  expected %s%n  but was  %s"
                .formatted(mistake.title(), shown(mistake.problems()), shown(found)));
      }
    }
    assertThat(differences).isEmpty();
  }

  @Test
  void saysNothingOfSoundDefinitions() {
    var service = new Service(port);
    for (var sound : Mistake.in("sound")) {
      assertThat(service.everything(sound.definition())).as(sound.title()).isEmpty();
    }
  }

  /// Names and types are right in whatever else is kept here.
  @ParameterizedTest
  @ValueSource(strings = {"examples", "src/language/test/resources/definitions"})
  void findsNoMistakeOfTypesInOtherDefinitions(String folder) throws IOException {
    var service = new Service(port);
    try (var files = Files.walk(Path.of(folder))) {
      var graphs =
          files.filter(it -> it.toString().endsWith(".yaml")).filter(this::isGraph).toList();
      assertThat(graphs).isNotEmpty();
      for (var graph : graphs) {
        assertThat(service.everything(Files.readString(graph)))
            .as(graph.toString())
            .extracting(it -> Mistake.text((ObjectValue) it, "code"))
            .doesNotContain("unknown_field", "unknown_channel", "wrong_type");
      }
    }
  }

  /// The reference shows what stands in them.
  @Test
  void takesTheExamplesOfTheReference() throws IOException {
    var service = new Service(port);
    service.graph("name: stored-graph\nnodes: [{ id: a, type: router }]");
    try (var files = Files.list(Path.of("src/server/test/resources/reference"))) {
      for (var file : files.sorted().toList()) {
        assertThat(service.everything(Files.readString(file)))
            .as(file.toString())
            .allMatch(it -> ((ObjectValue) it).has("warning"));
      }
    }
  }

  private boolean isGraph(Path file) {
    try {
      return Files.readString(file).contains("\nnodes:");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String shown(List<? extends Value> problems) {
    return problems.stream().map(Json::write).toList().toString();
  }
}
