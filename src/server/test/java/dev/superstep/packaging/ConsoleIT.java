package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.fault.Installation;
import dev.superstep.fault.Replica;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;

/// The console of the packaged service: its files over HTTP, and every story under `console/e2e` in
/// a real browser, against a service without keys and one with.
@TestInstance(Lifecycle.PER_CLASS)
@Order(2)
class ConsoleIT {
  private static final Path FOLDER = Installation.packaged().resolveSibling("console-it");
  private static final Pattern SCRIPT = Pattern.compile("src=\"(/assets/[^\"]+[.]js)\"");
  private static final String KEY = "key-of-the-console";

  private final Replica open;
  private final Replica keyed;

  ConsoleIT() throws IOException, SQLException {
    ConsoleStories.assumeBuilt();
    FileSystemUtils.deleteRecursively(FOLDER);
    var command = Installation.shared().command();
    var settings = new HashMap<>(TestDatabase.environment(TestDatabase.migrated()));
    open = new Replica(Files.createDirectories(FOLDER.resolve("open")), command, settings);
    settings.putAll(TestDatabase.environment(TestDatabase.migrated()));
    settings.put("SUPERSTEP_API_KEYS", KEY);
    keyed = new Replica(Files.createDirectories(FOLDER.resolve("keyed")), command, settings);
  }

  @BeforeAll
  void starts() {
    keyed.start();
    keyed.awaitReady();
  }

  @AfterAll
  void ends() {
    open.close();
    keyed.close();
  }

  @Test
  void servesCompressedFilesThatMayBeKeptForGood() throws Exception {
    var page = get("/", "identity").body();
    var script = SCRIPT.matcher(page);
    assertThat(script.find()).isTrue();

    var compressed = get(script.group(1), "gzip, br");
    assertThat(compressed.statusCode()).isEqualTo(200);
    assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(compressed.headers().firstValue("Cache-Control").orElse(""))
        .contains("immutable", "max-age=31536000", "public");
    assertThat(compressed.headers().firstValue("Content-Security-Policy"))
        .contains("default-src 'none'");
    assertThat(compressed.headers().firstValue("Vary").orElse("")).contains("Accept-Encoding");
    assertThat(get(script.group(1), "identity").headers().firstValue("Content-Type").orElse(""))
        .contains("javascript");
    assertThat(get("/icon.svg", "identity").statusCode()).isEqualTo(200);
    assertThat(get("/assets/none.js", "identity").statusCode()).isEqualTo(404);
    assertThat(get("/stamp", "identity").statusCode()).isEqualTo(401);
  }

  private HttpResponse<String> get(String path, String encodings) throws Exception {
    var uri = URI.create("http://127.0.0.1:" + keyed.port() + path);
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(uri).header("Accept-Encoding", encodings).build();
      return http.send(request, BodyHandlers.ofString());
    }
  }

  @Test
  @Timeout(value = 21, unit = TimeUnit.MINUTES)
  void worksInABrowser() throws Exception {
    var browser = ConsoleStories.browser(FOLDER);
    open.start();
    open.awaitReady();
    ConsoleStories.play(
        FOLDER,
        browser,
        Map.of(
            "SUPERSTEP_URL", "http://127.0.0.1:" + open.port(),
            "SUPERSTEP_KEYED_URL", "http://127.0.0.1:" + keyed.port(),
            "SUPERSTEP_KEY", KEY));
  }
}
