package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.examples.Program;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// The eight programs of the examples, as the service reads them.
@AgentTest
class ProgramApiTests {
  /// A field in an expression.
  private static final Pattern FIELD =
      Pattern.compile(
          "(?<=\\b(?:state|params|input|response|left|right|f|v)[.?a-z_]{0,40})[.][?]?([a-z_]+)\\b(?![(])");

  @LocalServerPort int port;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  @ParameterizedTest
  @EnumSource
  void postsWithoutAProblem(Program program) throws IOException {
    assertThat(problems(program.definition())).isEmpty();
  }

  /// Before a model has been paid to find it.
  @ParameterizedTest
  @EnumSource
  void doesNotPostWithAMisspeltField(Program program) throws IOException {
    var text = program.definition();
    var unnoticed = new ArrayList<String>();
    int tried = 0;
    for (var field = FIELD.matcher(text); field.find(); tried++) {
      var misspelt = misspelt(text, field);
      if (problems(misspelt).stream().noneMatch(it -> it.contains("'" + field.group(1) + "x'"))) {
        unnoticed.add(field.group());
      }
    }

    assertThat(unnoticed).isEmpty();
    assertThat(tried).isPositive();
  }

  /// Without a model, a service or a person.
  @ParameterizedTest
  @EnumSource
  void passesItsTests(Program program) throws IOException {
    var report = service.test(program.whole());

    assertThat(Service.at(report, "/passed")).as("%s", report).isEqualTo(Value.of(true));
  }

  private static String misspelt(String text, Matcher field) {
    return new StringBuilder(text).insert(field.end(), 'x').toString();
  }

  private List<String> problems(String definition) {
    var all = new ArrayList<>(service.messages(definition));
    all.addAll(service.warnings(definition));
    return all;
  }
}
