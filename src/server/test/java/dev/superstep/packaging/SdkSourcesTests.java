package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;

/// What the clients under `sdk/` have from the document, and what is committed of it.
class SdkSourcesTests {

  @Test
  void areWhatTheCommittedDocumentGives() throws Exception {
    var parser = Path.of(Load.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                parser.toString(),
                "src/server/build/sdk/Sdk.java",
                "check")
            .redirectErrorStream(true)
            .start();

    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as("sdk/README.md says how to write them. %s", said).isZero();
  }
}
