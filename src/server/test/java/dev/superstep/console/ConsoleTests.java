package dev.superstep.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.security.SignInLink;
import java.io.IOException;
import java.util.Optional;
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
    var console = new Console(new SignInLink(Optional.empty()));
    assertThat(console.page("first")).contains("nonce=\"first\"").doesNotContain("__");
    assertThat(console.page("second")).contains("nonce=\"second\"").doesNotContain("first");
  }

  @Test
  void namesTheProviderWithoutLettingItsNameBeMarkup() throws IOException {
    var console = new Console(new SignInLink(Optional.of("Keys & \"Cloaks\" <b>")));
    assertThat(console.page("one"))
        .contains("<meta name=\"sign-in\" content=\"Keys &amp; &quot;Cloaks&quot; &lt;b&gt;\"");
  }
}
