package dev.superstep.packaging;

import dev.superstep.database.TestDatabase;
import dev.superstep.fault.Installation;
import dev.superstep.fault.Replica;
import dev.superstep.security.AuthorizationServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;

/// Signing in at the console of the packaged service with Spring's authorization server, in a real
/// browser: the stories of `console/e2e/sign-in.spec.ts`, against two replicas. The provider has
/// another host name than they have, as another site has.
@TestInstance(Lifecycle.PER_CLASS)
class SignInIT {
  private static final Path FOLDER = Installation.packaged().resolveSibling("sign-in-it");
  private static final String KEY = "key-of-who-does-not-sign-in";

  private final Path browser;
  private final AuthorizationServer provider;
  private final Replica first;
  private final Replica second;

  SignInIT() throws Exception {
    FileSystemUtils.deleteRecursively(FOLDER);
    browser = ConsoleStories.browser(Files.createDirectories(FOLDER));
    provider = AuthorizationServer.start();
    var settings = settings();
    first = replica("first", settings);
    second = replica("second", settings);
    var url = "superstep.auth.sign-in.url: " + url(first);
    for (var replica : List.of(first, second)) {
      Files.writeString(replica.log().resolveSibling("application.yaml"), url);
    }
  }

  private static String url(Replica replica) {
    return "http://localhost:" + replica.port();
  }

  private Replica replica(String name, Map<String, String> settings) throws IOException {
    var command = Installation.shared().command();
    return new Replica(Files.createDirectories(FOLDER.resolve(name)), command, settings);
  }

  private Map<String, String> settings() throws SQLException {
    var settings = new HashMap<>(TestDatabase.environment(TestDatabase.migrated()));
    settings.put("SUPERSTEP_API_KEYS", KEY);
    settings.put("SUPERSTEP_AUTH_JWT_ISSUER", provider.issuer());
    settings.put("SUPERSTEP_AUTH_JWT_AUDIENCE", AuthorizationServer.AUDIENCE);
    settings.put("SUPERSTEP_AUTH_JWT_SCOPEPREFIX", "superstep:");
    settings.put("SUPERSTEP_AUTH_JWT_ROLESCLAIM", "roles");
    settings.put("SUPERSTEP_AUTH_SIGNIN_CLIENTID", AuthorizationServer.CONSOLE);
    settings.put("SUPERSTEP_AUTH_SIGNIN_CLIENTSECRET", "env:SECRET_OF_THE_CONSOLE");
    settings.put("SUPERSTEP_AUTH_SIGNIN_NAME", "<i>Spring</i>");
    settings.put("SECRET_OF_THE_CONSOLE", AuthorizationServer.CONSOLE_SECRET);
    return settings;
  }

  @BeforeAll
  void starts() {
    provider.register(url(first));
    first.start();
    second.start();
    first.awaitReady();
    second.awaitReady();
  }

  @AfterAll
  void ends() {
    first.close();
    second.close();
    provider.close();
  }

  @Test
  @Timeout(value = 21, unit = TimeUnit.MINUTES)
  void letsPeopleSignInInABrowser() throws Exception {
    ConsoleStories.play(
        FOLDER,
        browser,
        Map.of(
            "SUPERSTEP_SIGN_IN_URL", url(first),
            "SUPERSTEP_SIGN_IN_SECOND_URL", url(second),
            "SUPERSTEP_SIGN_IN_ISSUER", provider.issuer(),
            "SUPERSTEP_SIGN_IN_PASSWORD", AuthorizationServer.PASSWORD,
            "SUPERSTEP_SIGN_IN_KEY", KEY),
        "e2e/sign-in.spec.ts");
  }
}
