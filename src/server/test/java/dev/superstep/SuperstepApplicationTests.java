package dev.superstep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuperstepApplicationTests {

  /// Commands were once those of this jar, which would otherwise serve.
  @ParameterizedTest
  @ValueSource(strings = {"validate g.yaml", "--server.port=0 test g.yaml", "--help", "-h"})
  void refusesWhatIsNoSetting(String arguments) throws Exception {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                SuperstepApplication.class.getName()));
    command.addAll(List.of(arguments.split(" ")));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();

    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isEqualTo(2);
    assertThat(said)
        .hasLineCount(1)
        .contains("is no setting (--name=value)", "superstep-cli.jar")
        .contains("'%s'".formatted(arguments.replaceAll("--server.port=0 | g.yaml", "")));
  }
}
