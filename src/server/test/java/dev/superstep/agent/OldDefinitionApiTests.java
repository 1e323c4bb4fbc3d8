package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Yaml;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Definitions that an earlier release has stored: what the language learns must change neither
/// their hash nor what their runs leave behind. A difference here is a change for users, never a
/// reason to record anew.
@AgentTest
class OldDefinitionApiTests {
  private static final Path OLD = Path.of("src/server/test/resources/language/old");

  @LocalServerPort int port;

  static List<Value> recorded() throws IOException {
    return ((ListValue) Yaml.read(Files.readString(OLD.resolve("recorded.yaml")))).asList();
  }

  @Test
  void leavesOutNoFile() throws IOException {
    try (var files = Files.list(OLD)) {
      assertThat(recorded())
          .map(it -> Service.text(it, "/file"))
          .containsExactlyInAnyOrderElementsOf(
              files
                  .map(it -> it.getFileName().toString())
                  .filter(it -> !it.equals("recorded.yaml"))
                  .toList());
    }
  }

  /// Read by today's release, stored, and run from what is stored.
  @ParameterizedTest
  @MethodSource("recorded")
  void storesAndRunsAsBefore(ObjectValue before) throws IOException {
    var service = new Service(port);
    var posted = service.post(Files.readString(OLD.resolve(Service.text(before, "/file"))));

    assertThat(Service.text(posted, "/hash")).isEqualTo(Service.text(before, "/hash"));
    var ended = new ArrayList<String>();
    for (var run : runs(before)) {
      ended.add(end(service, posted, run));
    }
    assertThat(ended).isEqualTo(runs(before).stream().map(OldDefinitionApiTests::end).toList());
  }

  private static List<Value> runs(ObjectValue before) {
    return ((ListValue) before.getOr("runs", ListValue.empty())).asList();
  }

  private static String end(Value run) {
    return Service.text(run, "/status") + " " + Service.text(run, "/state_hash");
  }

  /// How a run ends with the recorded input and answers.
  private static String end(Service service, Value posted, Value recorded) {
    var begin =
        ObjectValue.of("graph", Service.at(posted, "/name"))
            .plus("version", Service.at(posted, "/version"))
            .plus("input", Service.at(recorded, "/input"));
    var run = service.post("/v1/runs?wait=30s", begin);
    for (var answer : answers(recorded).toList()) {
      run = service.answer(run, answer);
    }
    var state = service.get("/v1/runs/%s/state".formatted(Service.text(run, "/id")));
    return Service.text(run, "/status") + " " + Service.text(state, "/state_hash");
  }

  private static Stream<Value> answers(Value recorded) {
    return Service.at(recorded, "/answers") instanceof ListValue answers
        ? answers.stream()
        : Stream.empty();
  }
}
