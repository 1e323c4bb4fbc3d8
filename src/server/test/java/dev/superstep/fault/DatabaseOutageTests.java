package dev.superstep.fault;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.superstep.SuperstepApplication;
import dev.superstep.database.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;

/// The whole service while PostgreSQL is away, with runs in flight: what probes answer, and what is
/// in the log.
@SpringBootTest(
    classes = SuperstepApplication.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "superstep.pools.silence-max=4s",
      "superstep.store.patience=2s"
    })
@Import(DatabaseOutageTests.Proxied.class)
@DirtiesContext
class DatabaseOutageTests {
  private static final int RUNS = 30;
  private static final int LINES_MAX = 3;
  private static final int ATTEMPTS = 3;
  private static final Duration AT_ONCE = Duration.ofSeconds(1);
  private static final Duration OUTAGE = Duration.ofSeconds(6);

  /// The pool waits for two seconds, and the check of a connection takes one.
  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  private static final Duration SILENCE_MAX = Duration.ofSeconds(4);

  private static final String RUN =
      "{\"graph\": \"outage\", \"input\": {}, \"limits\": {\"max_supersteps\": 10000}}";

  private static final String LOOP =
      """
      name: outage
      channels: { count: { reducer: sum, default: 0 } }
      nodes:
        - { id: add, type: expression, config: { update: { count: 1 } } }
        - { id: rest, type: wait, config: { for: 200ms } }
      edges:
        - { from: __start__, to: add }
        - { from: add, to: rest }
        - { from: rest, to: add }
      """;

  private static final String QUESTION =
      """
      name: question
      nodes: [{ id: ask, type: human }]
      edges: [{ from: __start__, to: ask }]
      """;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  @Autowired private FaultProxy proxy;
  @Autowired private Proxied database;
  @LocalServerPort private int port;
  @LocalManagementPort private int management;

  /// The database of the test, by way of the proxy.
  @TestConfiguration(proxyBeanMethods = false)
  static class Proxied {
    private final JdbcConnectionDetails direct;

    Proxied() throws SQLException {
      direct = TestDatabase.migrated();
    }

    Connection connect() throws SQLException {
      return DriverManager.getConnection(
          direct.getJdbcUrl(), direct.getUsername(), direct.getPassword());
    }

    @Bean(destroyMethod = "close")
    FaultProxy proxy() {
      return new FaultProxy(URI.create(direct.getJdbcUrl().substring("jdbc:".length())).getPort());
    }

    @Bean
    JdbcConnectionDetails database(FaultProxy proxy) {
      return new JdbcConnectionDetails() {
        @Override
        public String getJdbcUrl() {
          // The proxy does not know the driver's question for TLS.
          return direct.getJdbcUrl().replaceFirst(":\\d+/", ":" + proxy.port() + "/")
              + "?sslmode=disable&gssEncMode=disable";
        }

        @Override
        public @Nullable String getUsername() {
          return direct.getUsername();
        }

        @Override
        public @Nullable String getPassword() {
          return direct.getPassword();
        }
      };
    }
  }

  @BeforeEach
  void runsAreInFlight() {
    await().until(() -> readiness() == 200);
    var graph = send(port, "/v1/graphs", "application/yaml", LOOP);
    assertThat(graph.statusCode()).as(graph.body()).isIn(200, 201);
    for (int i = 0; i < RUNS; i++) {
      var answer = send(port, "/v1/runs", "application/json", RUN);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    }
    log.start();
    root().addAppender(log);
  }

  @AfterEach
  void stopsListening() {
    root().detachAppender(log);
    proxy.heal();
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  @Test
  void saysInAFewLinesThatTheDatabaseRefuses() {
    proxy.refuse();

    assertGoesDownAndComesBack();
  }

  @Test
  void saysInAFewLinesThatTheDatabaseIsSilent() {
    proxy.blackHole();

    assertGoesDownAndComesBack();
  }

  private void assertGoesDownAndComesBack() {
    await().until(() -> readinessAtOnce() == 503);
    assertAnswersSoonThatItCannot();
    await()
        .during(OUTAGE)
        .atMost(OUTAGE.multipliedBy(5))
        .until(() -> readinessAtOnce() == 503 && liveness() == 200);
    proxy.heal();
    await().atMost(Duration.ofSeconds(30)).until(() -> readinessAtOnce() == 200);
    await().untilAsserted(() -> assertThat(said("The database answers again")).hasSize(1));

    var loud = events().stream().filter(it -> it.getLevel().isGreaterOrEqual(Level.WARN)).toList();
    assertThat(said("The database does not answer")).hasSize(1);
    assertThat(loud).as(lines(loud)).hasSizeLessThanOrEqualTo(LINES_MAX);
    assertThat(loud).as(lines(loud)).noneMatch(it -> it.getLevel() == Level.ERROR);
  }

  private void assertAnswersSoonThatItCannot() {
    for (var call : List.of(post(port, "/v1/runs", RUN), request(port, "/v1/runs").GET())) {
      long begun = System.nanoTime();
      assertThat(send(call).statusCode()).isEqualTo(503);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(ANSWER_MAX);
    }
  }

  /// The statement waits for a lock when the line goes dead, so that its answer never comes.
  @Test
  void endsACallWhoseStatementIsNeverAnswered() throws Exception {
    var graph = send(port, "/v1/graphs", "application/yaml", QUESTION);
    assertThat(graph.statusCode()).as(graph.body()).isIn(200, 201);
    var body = "{\"id\": \"asks\", \"graph\": \"question\", \"input\": {}}";
    var run = send(post(port, "/v1/runs?wait=20s", body));
    assertThat(run.body()).contains("\"interrupted\"");
    var answer = new FutureTask<>(() -> send(post(port, "/v1/runs/asks/cancel", "{}")));

    try (var direct = database.connect();
        var statement = direct.createStatement()) {
      direct.setAutoCommit(false);
      statement.execute("select from run where id = 'asks' for update");
      Thread.ofVirtual().start(answer);
      await().until(this::someoneWaitsForALock);
      proxy.blackHole();
      direct.rollback();
    }

    assertThat(answer.get(SILENCE_MAX.toSeconds() + 20, SECONDS).statusCode()).isEqualTo(503);
  }

  private boolean someoneWaitsForALock() throws SQLException {
    try (var direct = database.connect();
        var statement = direct.createStatement();
        var found =
            statement.executeQuery(
                """
                select from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock'
                """)) {
      return found.next();
    }
  }

  private static String lines(List<ILoggingEvent> events) {
    return String.join(
        "\n",
        events.stream().map(it -> it.getLoggerName() + ": " + it.getFormattedMessage()).toList());
  }

  private List<ILoggingEvent> events() {
    synchronized (log) {
      return List.copyOf(log.list);
    }
  }

  private List<String> said(String beginning) {
    return events().stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(it -> it.startsWith(beginning))
        .toList();
  }

  /// In one of a few attempts: another process on the machine makes one late now and then.
  private int readinessAtOnce() {
    for (int i = 0; i < ATTEMPTS; i++) {
      long begun = System.nanoTime();
      int status = readiness();
      if (Duration.ofNanos(System.nanoTime() - begun).compareTo(AT_ONCE) < 0) {
        return status;
      }
    }
    throw new AssertionError("readiness is not known within " + AT_ONCE);
  }

  private int readiness() {
    return get(management, "/actuator/health/readiness");
  }

  private int liveness() {
    return get(management, "/actuator/health/liveness");
  }

  private int get(int port, String path) {
    return send(request(port, path).GET()).statusCode();
  }

  private HttpResponse<String> send(int port, String path, String type, String body) {
    return send(
        request(port, path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
  }

  private static HttpRequest.Builder post(int port, String path, String body) {
    return request(port, path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  private static HttpRequest.Builder request(int port, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return http.send(request.timeout(Duration.ofSeconds(40)).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
