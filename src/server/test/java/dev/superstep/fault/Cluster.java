package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.fault.Replica.Answer;
import dev.superstep.schedule.ScheduledRows;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Some replicas over one fresh database, each behind a proxy of its own, and the ledger they call.
final class Cluster implements AutoCloseable {
  /// Of the replicas, unless a scenario says otherwise.
  static final Duration LEASE = Duration.ofSeconds(3);

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Postgres postgres;
  private final String database;
  private volatile JdbcClient jdbc;
  private final Outcomes outcomes = new Outcomes(this::jdbc);
  private final Ledger ledger;
  private final List<Replica> replicas = new ArrayList<>();
  private final List<FaultProxy> proxies = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final AtomicInteger keys = new AtomicInteger();
  private final Duration lease;
  private @Nullable Postgres restored;

  /// @param settings environment of every replica
  /// @param command from the command that starts the service to the one that is run
  /// @param special environment of the first replica only
  record Options(
      int replicas,
      Duration lease,
      Map<String, String> settings,
      Map<String, String> special,
      UnaryOperator<List<String>> command) {
    static Options of(int replicas) {
      return new Options(replicas, LEASE, Map.of(), Map.of(), UnaryOperator.identity());
    }

    Options with(Map<String, String> more) {
      return new Options(replicas, lease, more, special, command);
    }

    Options lease(Duration other) {
      return new Options(replicas, other, settings, special, command);
    }

    Options special(Map<String, String> more) {
      return new Options(replicas, lease, settings, more, command);
    }

    Options command(UnaryOperator<List<String>> other) {
      return new Options(replicas, lease, settings, special, other);
    }
  }

  Cluster(Postgres postgres, Installation installation, Path folder, Options options)
      throws IOException {
    this.postgres = postgres;
    lease = options.lease();
    database = postgres.freshDatabase();
    jdbc = postgres.jdbc(database);
    ledger = new Ledger(outcomes::had);
    for (int i = 0; i < options.replicas(); i++) {
      var proxy = new FaultProxy(postgres.port());
      proxies.add(proxy);
      var environment = new HashMap<>(database(proxy.port(), database, Postgres.login(i)));
      environment.put("SUPERSTEP_LEASE", options.lease().toMillis() + "ms");
      environment.put("SUPERSTEP_TAKEOVERSMAX", "20"); // kills from outside accuse nobody
      environment.putAll(options.settings());
      if (i == 0) {
        environment.putAll(options.special());
      }
      var home = Files.createDirectories(folder.resolve(database + "-" + i));
      var command = options.command().apply(installation.command());
      replicas.add(new Replica(home, command, environment));
    }
  }

  static Map<String, String> database(int port, String name, String login) {
    return Map.of(
        "SPRING_DATASOURCE_URL",
        "jdbc:postgresql://127.0.0.1:%d/%s?sslmode=disable&gssEncMode=disable"
            .formatted(port, name),
        "SPRING_DATASOURCE_USERNAME",
        login,
        "SPRING_DATASOURCE_PASSWORD",
        "none");
  }

  /// The first replica makes the schema, then the others start, then the graphs are there.
  void start() {
    replicas.forEach(Replica::start);
    replicas.forEach(Replica::awaitReady);
    Shapes.definitions(ledger.url()).values().forEach(this::define);
  }

  void define(String definition) {
    var answer = post("/v1/graphs", "application/yaml", definition);
    assertThat(answer.status()).as("%s", answer.body()).isIn(200, 201);
  }

  /// All replicas die and their database is lost; one starts over what a backup has of it.
  void restore(Path backup) throws InterruptedException {
    for (var replica : replicas) {
      replica.kill();
    }
    postgres = Postgres.restored(backup);
    restored = postgres;
    jdbc = postgres.jdbc(database);
    proxies.forEach(it -> it.target(postgres.port()));
    replicas.getFirst().start();
    replicas.getFirst().awaitReady();
  }

  /// The primary dies, and the standby takes its place for everybody.
  void failOver(Postgres standby) throws Exception {
    postgres.crash();
    standby.promote();
    if (restored != null) {
      restored.close();
    }
    restored = standby;
    postgres = standby;
    jdbc = postgres.jdbc(database);
    proxies.forEach(it -> {
      it.target(postgres.port());
      it.cut();
    });
  }

  Postgres postgres() {
    return postgres;
  }

  JdbcClient jdbc() {
    return jdbc;
  }

  String database() {
    return database;
  }

  Outcomes outcomes() {
    return outcomes;
  }

  Ledger ledger() {
    return ledger;
  }

  List<Replica> replicas() {
    return replicas;
  }

  List<FaultProxy> proxies() {
    return proxies;
  }

  Duration lease() {
    return lease;
  }

  /// Numbers idempotency keys.
  int newKey() {
    return keys.getAndIncrement();
  }

  /// Distinct idempotency keys that runs were asked for with.
  int keys() {
    return keys.get();
  }

  /// One that answers, in turn.
  private Replica next() {
    for (int i = 0; i < replicas.size(); i++) {
      var candidate = replicas.get(Math.floorMod(turn.getAndIncrement(), replicas.size()));
      if (candidate.reachable()) {
        return candidate;
      }
    }
    return replicas.getFirst();
  }

  Answer get(String path) {
    return Awaitility.await("GET " + path)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> tryGet(path), Answer::given);
  }

  /// Asks one replica, once.
  Answer tryGet(String path) {
    var replica = next();
    return replica.once(replica.request(path).GET(), 10);
  }

  Answer post(String path, String type, String body) {
    return post(path, body, Map.of("Content-Type", type));
  }

  /// Repeated, at whichever replica, until there is an answer.
  Answer post(String path, String body, Map<String, String> headers) {
    return Awaitility.await("POST " + path)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              var replica = next();
              return replica.once(posting(replica, path, body, headers), 10);
            },
            Answer::given);
  }

  static HttpRequest.Builder posting(
      Replica replica, String path, String body, Map<String, String> headers) {
    var request = replica.request(path).POST(BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return request;
  }

  /// Which runs the database says are driven by this replica.
  List<String> ownedBy(Replica replica) {
    return replica.owner().map(this::ownedBy).orElse(List.of());
  }

  List<String> ownedBy(String owner) {
    return jdbc.sql("select id from run where owner = ? and status in ('running', 'cancelling')")
        .param(owner)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// Tasks that have called the ledger and whose outcome the database does not know: those that a
  /// fault may repeat.
  int unrecorded() {
    return Math.max(0, ledger.keys() - outcomes.count());
  }

  /// Everything about runs that have not ended, for whoever wants to know why.
  List<String> unfinished() {
    var all = new ArrayList<>(new ScheduledRows(jdbc).scheduled());
    jdbc.sql(
            """
            select r::text from run r where status not in ('succeeded', 'cancelled')
            union all
            select concat_ws(' ', usename, application_name, state, wait_event, query)
              from pg_stat_activity where datname = current_database() and state <> 'idle'
            """)
        .query((row, _) -> row.getString(1))
        .list()
        .forEach(all::add);
    return all;
  }

  @Override
  public void close() {
    for (var replica : replicas) {
      try {
        replica.kill();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      replica.close();
    }
    proxies.forEach(FaultProxy::close);
    ledger.close();
    if (restored != null) {
      restored.close();
    }
  }
}
