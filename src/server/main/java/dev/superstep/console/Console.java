package dev.superstep.console;

import dev.superstep.security.SignInLink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import org.springframework.web.util.HtmlUtils;

/// The page of the console as the build has made it, or the page that says why there is none.
@Component
public class Console {
  static final String FOLDER = "console/";

  /// Stands where the page has the nonce of one answer (`console/vite.config.ts`).
  private static final String NONCE = "__CSP_NONCE__";

  /// Stands where the page has the name of the provider with which people sign in.
  private static final String SIGN_IN = "__SIGN_IN__";

  private static final String REASON = "__REASON__";

  private final String page;
  private final String missing;

  Console(SignInLink signIn) throws IOException {
    var built = new ClassPathResource(FOLDER + "index.html");
    if (built.exists()) {
      page =
          built
              .getContentAsString(StandardCharsets.UTF_8)
              .replace(SIGN_IN, HtmlUtils.htmlEscape(signIn.provider().orElse("")));
      missing = "";
    } else {
      missing = reason();
      page = missingPage(missing);
    }
  }

  static String missingPage(String reason) throws IOException {
    return new ClassPathResource("console-missing.html")
        .getContentAsString(StandardCharsets.UTF_8)
        .replace(REASON, HtmlUtils.htmlEscape(reason));
  }

  private static String reason() throws IOException {
    var said = new ClassPathResource(FOLDER + "missing.txt");
    return said.exists()
        ? said.getContentAsString(StandardCharsets.UTF_8).strip()
        : "the build did not make it";
  }

  /// Why there is none; empty if there is one.
  public String missing() {
    return missing;
  }

  String page(String nonce) {
    return page.replace(NONCE, nonce);
  }
}
