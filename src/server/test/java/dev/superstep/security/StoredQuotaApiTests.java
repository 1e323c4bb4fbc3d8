package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What a key stores without runs counts as what its runs do: 2 MB in this context. Each test has a
/// key of its own.
@KeyedApiTest
class StoredQuotaApiTests {
  private static final Pattern SECRET = Pattern.compile("\"secret\":\"([^\"]+)\"");
  private static final Pattern ASSISTANT = Pattern.compile("\"assistant_id\":\"([^\"]+)\"");
  private static final Pattern THREAD = Pattern.compile("\"thread_id\":\"([^\"]+)\"");
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> deletions = new ArrayList<>();
  @LocalServerPort private int port;
  private String key = "";

  @BeforeEach
  void makesAKey() throws Exception {
    key =
        find(
            SECRET,
            call(
                "alpha",
                "POST",
                "/v1/keys",
                "{\"name\": \"stores-%s\", \"scopes\": [\"read\", \"run\", \"author\"]}"
                    .formatted(UUID.randomUUID())));
  }

  @AfterEach
  void deletes() throws Exception {
    for (var path : deletions) {
      var _ = call("alpha", "DELETE", path, "");
    }
  }

  private HttpResponse<String> call(String bearer, String method, String path, String body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + bearer)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body));
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static String find(Pattern pattern, HttpResponse<String> answer) {
    var found = pattern.matcher(answer.body());
    assertThat(found.find()).as(answer.body()).isTrue();
    return found.group(1);
  }

  private static void isRefused(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
    assertThat(answer.body()).contains("storage_quota_exceeded", "2 MB");
  }

  private static void isStored(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201, 204);
  }

  /// Letters that a database cannot compress to nothing; seed 7.
  private static String noise(int letters) {
    var noise = new StringBuilder();
    new Random(7).ints(letters, 'a', 'z').forEach(it -> noise.append((char) it));
    return noise.toString();
  }

  private HttpResponse<String> item(String name, String text) throws Exception {
    var body =
        "{\"namespace\": [\"%s\"], \"key\": \"k\", \"value\": {\"text\": \"%s\"}}"
            .formatted(name, text);
    return call(key, "PUT", "/langgraph/store/items", body);
  }

  @Test
  void boundsItemsOfTheMemory() throws Exception {
    var text = noise(900_000);
    isStored(item("one", text));
    isStored(item("two", text));

    isRefused(item("three", text));
    // In place of what was there: counted anew, not twice.
    await().untilAsserted(() -> isStored(item("two", "short")));
    await().untilAsserted(() -> isStored(item("three", text)));

    for (var name : List.of("one", "two", "three")) {
      var place = "{\"namespace\": [\"%s\"], \"key\": \"k\"}".formatted(name);
      isStored(call(key, "DELETE", "/langgraph/store/items", place));
    }
    await().untilAsserted(() -> isStored(item("four", text)));
  }

  @Test
  void boundsAssistantsWithTheirVersions() throws Exception {
    isStored(
        call(
            "alpha",
            "POST",
            "/v1/graphs",
            "{\"name\": \"quota-echo\", \"nodes\": [{\"id\": \"n\", \"type\": \"expression\","
                + " \"config\": {\"update\": {\"a\": \"1\"}}}],"
                + " \"edges\": [{\"from\": \"__start__\", \"to\": \"n\"}]}"));
    var member = "\"text\": \"%s\"".formatted(noise(60_000));
    var of = "\"config\": {\"configurable\": {%1$s}}, \"context\": {%1$s}".formatted(member);
    var create = "{\"graph_id\": \"quota-echo\", %s}".formatted(of);
    var made = call(key, "POST", "/langgraph/assistants", create);
    var path = "/langgraph/assistants/" + find(ASSISTANT, made);
    deletions.add(path);
    var last = made;
    for (int i = 0; i < 40 && last.statusCode() == 200; i++) {
      last = call(key, "PATCH", path, "{%s}".formatted(of));
    }

    isRefused(last);
    isRefused(call(key, "POST", "/langgraph/assistants", create));
    isStored(call(key, "DELETE", path, ""));
    await()
        .untilAsserted(() -> {
          var again = call(key, "POST", "/langgraph/assistants", create);
          isStored(again);
          deletions.add("/langgraph/assistants/" + find(ASSISTANT, again));
        });
  }

  private HttpResponse<String> graph(String bearer, String name, String text) throws Exception {
    var node =
        "{\"id\": \"n\", \"type\": \"expression\", \"config\": {\"update\": {\"a\": \"'%s'\"}}}";
    return call(
        bearer,
        "POST",
        "/v1/graphs",
        ("{\"name\": \"%s\", \"nodes\": [" + node + "],")
            .formatted(name, text)
            .concat(" \"edges\": [{\"from\": \"__start__\", \"to\": \"n\"}]}"));
  }

  @Test
  void boundsVersionsOfGraphs() throws Exception {
    var name = "quota-versions";
    var text = noise(9_000);
    var last = graph(key, name, text + 0);
    int versions = 0;
    while (versions < 300 && last.statusCode() == 201) {
      versions++;
      last = graph(key, name, text + versions);
    }

    isRefused(last);
    assertThat(versions).isBetween(40, 200);
    isRefused(graph(key, "quota-versions-other", text));
    var again = graph(key, name, text + (versions - 1));
    assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
    isRefused(
        call(key, "POST", "/v1/threads", "{\"metadata\": {\"text\": \"%s\"}}".formatted(text)));
    isStored(graph("beta", name, text + "beta"));
  }

  @Test
  void boundsDescriptionsOfThreads() throws Exception {
    var metadata = "{\"metadata\": {\"text\": \"%s\"}}".formatted(noise(15_000));
    var last = call(key, "POST", "/v1/threads", metadata);
    for (int i = 0; i < 300 && last.statusCode() == 201; i++) {
      deletions.add("/v1/threads/" + find(THREAD, last));
      last = call(key, "POST", "/v1/threads", metadata);
    }

    isRefused(last);
    isRefused(call(key, "POST", "/langgraph/threads", metadata));
    isRefused(call(key, "PATCH", deletions.getFirst(), metadata));
    isStored(call("beta", "POST", "/v1/threads", "{}"));
  }

  /// Calls that wait until their thread is free, and have no input.
  @Test
  void boundsCallsThatWaitForAThread() throws Exception {
    isStored(
        call(
            "alpha",
            "POST",
            "/v1/graphs",
            "{\"name\": \"quota-waits\", \"nodes\": [{\"id\": \"n\", \"type\": \"wait\","
                + " \"config\": {\"for\": \"1h\"}}],"
                + " \"edges\": [{\"from\": \"__start__\", \"to\": \"n\"}]}"));
    var thread =
        "/langgraph/threads/" + find(THREAD, call(key, "POST", "/langgraph/threads", "{}"));
    deletions.add(thread);
    var runs = thread + "/runs";
    isStored(call(key, "POST", runs, "{\"assistant_id\": \"quota-waits\", \"input\": {}}"));
    var waits =
        "{\"assistant_id\": \"quota-waits\", \"multitask_strategy\": \"enqueue\","
            + " \"command\": {\"update\": {\"text\": \"%s\"}}}".formatted(noise(1_200_000));
    int calls = 0;
    var last = call(key, "POST", runs, waits);
    while (calls < 20 && last.statusCode() == 200) {
      calls++;
      last = call(key, "POST", runs, waits);
    }

    isRefused(last);
    assertThat(calls).isEqualTo(1);
  }
}
