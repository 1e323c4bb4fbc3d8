package dev.superstep.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ConsoleTests {
  @Test
  void saysWhyThereIsNoConsoleAndWhereTheRestIs() throws IOException {
    assertThat(Console.missingPage("there is no <node>"))
        .contains("This build has no console: there is no &lt;node&gt;.")
        .contains("href=\"/swagger-ui.html\"", "href=\"/v3/api-docs.yaml\"", "docs/console.md")
        .doesNotContain("__REASON__");
  }

  @Test
  void givesEachAnswerANonceOfItsOwn() throws IOException {
    var console = new Console();
    assertThat(console.page("first")).contains("nonce=\"first\"").doesNotContain("__");
    assertThat(console.page("second")).contains("nonce=\"second\"").doesNotContain("first");
  }
}
