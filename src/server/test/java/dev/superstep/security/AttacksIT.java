package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.fault.ReplicaPair;
import dev.superstep.security.TenantMatrix.Sharing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Two replicas of what is shipped: at one, others have something of everything; at the other one,
/// every operation of both OpenAPI documents is called with it, by another tenant and by one that
/// is limited. What each part of the walls does alone is looked at by [TenantMatrixApiTests].
@TestInstance(Lifecycle.PER_CLASS)
class AttacksIT {
  /// A webhook of the tenant is told of what the caller runs, too.
  private static final String TOLD = "new in delivery: ";

  private static final String OPERATOR = "operator-of-attacks";
  private static final String ROLES =
      "\"roles\":[\"author\",\"operator\",\"runner\",\"answerer\",\"worker\"]";
  private static final String ALL =
      "\"roles\":[\"admin\",\"author\",\"operator\",\"runner\",\"answerer\",\"viewer\"]";

  private static final int RUNS_MAX = 40;
  private static final String ACTIVE = "tenant_of(id) = 'bounded' and finished_at is null";

  private final ReplicaPair replicas;
  private final int first;
  private final int second;
  private final JdbcClient owner;
  private final Map<String, Victim> made = new HashMap<>();
  private final List<String> secrets = new ArrayList<>(List.of(OPERATOR));

  AttacksIT(@TempDir Path folder) throws IOException, SQLException {
    replicas =
        new ReplicaPair(
            folder,
            Map.of(
                "SUPERSTEP_APIKEYS",
                OPERATOR,
                "SUPERSTEP_TENANTS_ENABLED",
                "true",
                "SUPERSTEP_TENANTS_LIMITS_BOUNDED_RUNSMAX",
                Integer.toString(RUNS_MAX)));
    first = replicas.first().port();
    second = replicas.second().port();
    owner = replicas.jdbc();
  }

  @BeforeAll
  void starts() {
    replicas.start();
  }

  @AfterAll
  void ends() {
    replicas.close();
  }

  @Test
  void tellsNothingOfOtherTenants() throws IOException {
    var victims = new ArrayList<TenantThings>();
    var foreign = new ArrayList<Map<String, String>>();
    for (var tenant : List.of("default", "globex")) {
      var victim = victim(tenant);
      foreign.add(victim.ids());
      victims.add(victim.things());
    }
    var caller = new TenantThings(second, "acme", "own", key("acme", "caller", ALL).secret());
    var own = caller.make();
    var requests = new TenantRequests(Operations.of(second, OPERATOR));
    assertThat(new TenantMatrix(caller, victims, owner, own, foreign).leaks(requests)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "teams"})
  void reachesNothingOfOtherGraphs(String tenant) throws IOException {
    assertThat(leaks(new Case(tenant, "\"graphs\":[\"own-*\"]," + ROLES))).isEmpty();
  }

  /// The graphs of the others are within its reach.
  @Test
  void reachesNothingOfOtherOwners() throws IOException {
    assertThat(leaks(new Case("owners", "\"own_only\":true,\"roles\":[\"runner\",\"answerer\"]")))
        .isEmpty();
  }

  /// Else the limited would find nothing, whatever they did.
  @Test
  void findsWhatIsReached() throws IOException {
    assertThat(leaks(new Case("free", ROLES))).hasSizeGreaterThan(50);
  }

  /// Of keys there are digests only, and what was called with them says nothing of them.
  @Test
  void keepsSecretsNowhere() throws IOException {
    var key = key("canaries", "canary", ALL);
    var things = new TenantThings(second, "canaries", "canary", key.secret());
    things.make();

    assertThat(isStored(things.secret())).as("finds what is there").isTrue();
    for (var secret : secrets) {
      assertThat(isStored(secret)).isFalse();
      for (var replica : List.of(replicas.first(), replicas.second())) {
        assertThat(Files.readString(replica.log())).doesNotContain(secret);
      }
    }
  }

  /// Calls at once, at both, with two keys. Beyond the bound may be what one of them has admitted
  /// between two counts; then nobody is let in, at neither, and what has ended makes room.
  @Test
  void boundsTheRunsOfATenantOverBothReplicas() throws Exception {
    var callers = new ArrayList<TenantThings>();
    for (var name : List.of("one", "other")) {
      var secret = key("bounded", name, ROLES).secret();
      for (int port : List.of(first, second)) {
        callers.add(new TenantThings(port, "bounded", name, secret));
      }
    }
    var graph =
        """
        {"name":"waits","nodes":[{"id":"a","type":"wait","config":{"for":"1h"}}],
         "edges":[{"from":"__start__","to":"a"}]}
        """;
    assertThat(callers.getFirst().call("POST", "/v1/graphs", graph, Map.of()).status())
        .isEqualTo(201);

    try (var threads = Executors.newFixedThreadPool(16)) {
      var all = new ArrayList<Callable<Integer>>();
      for (int i = 0; i < 4 * RUNS_MAX; i++) {
        var caller = callers.get(i % callers.size());
        all.add(() -> start(caller));
      }
      for (var status : threads.invokeAll(all)) {
        assertThat(status.get()).isIn(202, 429);
      }
    }
    Awaitility.await()
        .until(
            () -> {
              callers.forEach(AttacksIT::start);
              return active();
            },
            it -> it >= RUNS_MAX);
    int all = active();
    assertThat(all).isLessThan(2 * RUNS_MAX);
    for (int i = 0; i < 5; i++) {
      assertThat(callers).extracting(AttacksIT::start).containsOnly(429);
    }
    assertThat(active()).isEqualTo(all);

    var some =
        owner.sql(
            "select substr(id, length('bounded/') + 1) from run where %s limit %d"
                .formatted(ACTIVE, all - RUNS_MAX + 1));
    for (var id : some.query(String.class).list()) {
      callers.getFirst().call("POST", "/v1/runs/" + id + "/cancel", "", Map.of());
    }
    Awaitility.await().until(() -> start(callers.getLast()) == 202);
  }

  private static int start(TenantThings caller) {
    return caller.call("POST", "/v1/runs", "{\"graph\":\"waits\",\"input\":{}}", Map.of()).status();
  }

  private int active() {
    return owner
        .sql("select count(*) from run where %s".formatted(ACTIVE))
        .query(Integer.class)
        .single();
  }

  /// @param secret of the key
  private record Key(String id, String secret) {}

  /// @param ids of its things that nobody chose
  private record Victim(TenantThings things, Map<String, String> ids) {}

  /// A case for each kind of limit.
  ///
  /// @param tenant of all in it
  /// @param limit members of the body that makes the key
  private record Case(String tenant, String limit) {
    boolean isLimited() {
      return !limit.equals(ROLES);
    }
  }

  /// Graphs are nobody's own: those of the others are within reach, with their assistants.
  private static boolean isAboutGraphs(String leak, String assistant) {
    var operation = leak.split(" as ", 2)[0];
    return operation.contains("/v1/graphs")
        || operation.contains("/langgraph/assistants")
        || leak.contains("victim-ends")
        || leak.contains("victim-asks")
        || leak.contains(assistant)
        || leak.contains("idempotency_key_reused"); // with such a graph, just before
  }

  private Victim victim(String tenant) throws IOException {
    var known = made.get(tenant);
    if (known == null) {
      var secret = key(tenant, "victim", ALL).secret();
      var things = new TenantThings(first, tenant + "-victim", "victim", secret);
      known = new Victim(things, things.make());
      made.put(tenant, known);
    }
    return known;
  }

  private List<String> leaks(Case limited) throws IOException {
    var tenant = limited.tenant();
    var victim = victim(tenant);
    var foreign = victim.ids();
    var maker = key(tenant, "maker", ALL);
    var own = new TenantThings(second, tenant, "own", maker.secret()).make();
    var key = key(tenant, "limited", limited.limit());
    for (var change :
        List.of(
            "update run set caller = :limited where caller = :maker",
            "update thread set owner = :limited where owner = :maker")) {
      owner.sql(change).param("limited", key.id()).param("maker", maker.id()).update();
    }
    var caller = new TenantThings(second, tenant, "own", key.secret());
    var requests = new TenantRequests(Operations.of(second, OPERATOR));
    var all =
        new TenantMatrix(
                limited.isLimited() ? caller : caller.hasty(),
                List.of(victim.things()),
                owner,
                own,
                List.of(foreign),
                Sharing.IDS)
            .leaks(requests, limited.isLimited() ? Integer.MAX_VALUE : 1);
    var assistant = foreign.getOrDefault("assistant", "");
    var made = "\"caller\": \"" + key.id(); // as if there were no such item of the others
    var told = told(key.id());
    return limited.limit().contains("graphs")
        ? all
        : all.stream()
            .filter(it -> !it.contains(made) && !isAboutGraphs(it, assistant))
            .filter(it -> !it.startsWith(TOLD) || told.stream().noneMatch(it::contains))
            .toList();
  }

  /// Ids of the runs of a caller.
  private List<String> told(String caller) {
    return owner
        .sql("select id from run where caller = :caller")
        .param("caller", caller)
        .query((row, _) -> row.getString(1))
        .list();
  }

  private Key key(String tenant, String name, String limit) {
    var body = "{\"name\":\"%s\",\"tenant\":\"%s\",%s}".formatted(name, tenant, limit);
    var made =
        new TenantThings(first, "operator", "", OPERATOR).call("POST", "/v1/keys", body, Map.of());
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    var secret = made.text().replaceAll("(?s).*\"secret\":\"([^\"]+)\".*", "$1");
    secrets.add(secret);
    var other = new TenantThings(second, tenant, "", secret);
    Awaitility.await("the other replica knows the key")
        .until(() -> other.call("GET", "/v1/graphs", "", Map.of()).status() != 401);
    return new Key(made.text().replaceAll("(?s).*?\"id\":\"([^\"]+)\".*", "$1"), secret);
  }

  private boolean isStored(String text) {
    return owner
        .sql("select tablename from pg_tables where schemaname = 'public'")
        .query(String.class)
        .stream()
        .anyMatch(it ->
            owner
                .sql(
                    "select exists (select from %s as t where t::text like '%%' || ? || '%%')"
                        .formatted(it))
                .param(text)
                .query(Boolean.class)
                .single());
  }
}
