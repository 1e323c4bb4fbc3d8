package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.database.TestDatabase;
import dev.superstep.tenant.Tenant;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Twenty keys of a tenant fill a replica with endless loops of three graphs, and queue more; each
/// key has few of them. `-Dsuperstep.shares.scale` sets a multiple of the load,
/// `-Dsuperstep.shares.within-ms` what is soon.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "superstep.api-keys=operator",
      "superstep.tenants.enabled=true",
      "superstep.runs.max=16",
      "superstep.tasks.max=16",
      "superstep.runs.turn=500ms"
    })
@Import(TestDatabase.class)
class TenantSharesApiTests {
  private static final int SCALE = Integer.getInteger("superstep.shares.scale", 1);
  private static final Duration WITHIN =
      Duration.ofMillis(Integer.getInteger("superstep.shares.within-ms", 10_000));
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final int KEYS = 20;
  private static final int CALLERS = 8;
  private static final int RUNS = 100;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Random random = new Random();

  /// The last one that was made of each tenant.
  private final Map<String, String> secrets = new HashMap<>();

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;

  @BeforeEach
  void seeds() {
    long seed = System.nanoTime();
    random.setSeed(seed);
    System.out.println("TenantSharesApiTests seed " + seed);
  }

  @AfterEach
  void ends() throws Exception {
    atOnce(
        active().stream()
            .<Callable<Object>>map(run -> {
              var key = Objects.requireNonNull(secrets.get(Tenant.of(run).name()));
              return () -> send(key, "/v1/runs/" + Tenant.shown(run) + "/cancel", "{}");
            })
            .toList());
    await().atMost(SOON).until(() -> active().isEmpty());
  }

  /// Some at a time: while loops have the processors, each takes long.
  private static void atOnce(List<Callable<Object>> calls) throws Exception {
    try (var callers = Executors.newFixedThreadPool(CALLERS)) {
      for (var call : callers.invokeAll(calls)) {
        call.get();
      }
    }
  }

  private List<String> active() {
    return jdbc.sql(
            """
            select id from run
             where status in ('queued', 'running', 'waiting', 'cancelling') and strpos(id, '/') > 0
            """)
        .query((row, _) -> row.getString(1))
        .list();
  }

  private long running(String tenant) {
    return jdbc.sql("select count(*) from run where status = 'running' and tenant_of(id) = ?")
        .param(tenant)
        .query(Long.class)
        .single();
  }

  /// One run after another of a second tenant, then of a third while the second one loops, too: at
  /// first there are slots beyond those that one tenant gets, then loops give theirs away.
  @Test
  void leavesEachTenantItsShare() throws Exception {
    loops("many", KEYS, RUNS * SCALE);
    await().atMost(SOON).until(() -> running("many") >= 16);

    measures("few");
    loops("second", 1, 20);
    await().atMost(SOON).until(() -> running("second") >= 6);
    measures("third");
    assertThat(active().size()).as("loops go on").isGreaterThanOrEqualTo(RUNS * SCALE + 20);
  }

  private void loops(String tenant, int keys, int runs) throws Exception {
    var ofTenant = new ArrayList<String>();
    for (int i = 0; i < keys; i++) {
      ofTenant.add(key(tenant, "k" + i));
    }
    for (int i = 0; i < 3; i++) {
      var loop =
          """
          {"name": "loop-%d", "limits": {"max_supersteps": 100000}, "nodes":
           [{"id": "a", "type": "expression", "config": {"update": {"n": 1}}, "next": "a"}]}
          """
              .formatted(i);
      assertThat(send(ofTenant.getFirst(), "/v1/graphs", loop).statusCode()).isIn(200, 201);
    }
    var starts = new ArrayList<Callable<Object>>();
    for (int i = 0; i < runs; i++) {
      var run = "{\"graph\": \"loop-%d\", \"input\": {}}".formatted(random.nextInt(3));
      var key = ofTenant.get(random.nextInt(keys));
      starts.add(() -> assertThat(send(key, "/v1/runs", run).statusCode()).isEqualTo(202));
    }
    atOnce(starts);
  }

  private void measures(String tenant) throws Exception {
    var key = key(tenant, "only");
    var one =
        """
        {"name": "one", "nodes": [{"id": "a", "type": "expression", "config": {"update": {"n": 1}}}]}
        """;
    assertThat(send(key, "/v1/graphs", one).statusCode()).isIn(200, 201);
    var took = new ArrayList<Duration>();
    for (int i = 0; i < 5; i++) {
      long begun = System.nanoTime();
      var answer = send(key, "/v1/runs?wait=30s", "{\"graph\": \"one\", \"input\": {}}");
      took.add(Duration.ofNanos(System.nanoTime() - begun));
      assertThat(answer.body()).contains("\"status\":\"succeeded\"");
    }
    System.out.printf(
        "shares of tenants: %s first %d ms, longest %d ms%n",
        tenant,
        took.getFirst().toMillis(),
        took.stream().max(Duration::compareTo).orElseThrow().toMillis());
    assertThat(took).allSatisfy(it -> assertThat(it).isLessThan(WITHIN));
  }

  private String key(String tenant, String name) throws Exception {
    var body =
        "{\"name\":\"%s\",\"tenant\":\"%s\",\"roles\":[\"author\",\"runner\",\"operator\"]}"
            .formatted(name, tenant);
    var answer = send("operator", "/v1/keys", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    var secret = answer.body().replaceAll("(?s).*\"secret\":\"([^\"]+)\".*", "$1");
    secrets.put(tenant, secret);
    return secret;
  }

  private HttpResponse<String> send(String key, String path, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .timeout(Duration.ofMinutes(2))
            .POST(BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }
}
