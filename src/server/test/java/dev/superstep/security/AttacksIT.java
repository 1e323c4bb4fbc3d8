package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.fault.ReplicaPair;
import dev.superstep.security.TenantMatrix.Sharing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private static final String OPERATOR = "operator-of-attacks";
  private static final String ROLES =
      "\"roles\":[\"author\",\"operator\",\"runner\",\"answerer\",\"worker\"]";
  private static final String ALL =
      "\"roles\":[\"admin\",\"author\",\"operator\",\"runner\",\"answerer\",\"viewer\"]";

  private final ReplicaPair replicas;
  private final int first;
  private final int second;
  private final JdbcClient owner;
  private final Map<String, Victim> made = new HashMap<>();
  private final List<String> secrets = new ArrayList<>(List.of(OPERATOR));

  AttacksIT(@TempDir Path folder) throws IOException {
    replicas =
        new ReplicaPair(
            folder, Map.of("SUPERSTEP_APIKEYS", OPERATOR, "SUPERSTEP_TENANTS_ENABLED", "true"));
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
            .leaks(requests);
    var assistant = foreign.getOrDefault("assistant", "");
    var made = "\"caller\": \"" + key.id(); // as if there were no such item of the others
    return limited.limit().contains("graphs")
        ? all
        : all.stream().filter(it -> !it.contains(made) && !isAboutGraphs(it, assistant)).toList();
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
