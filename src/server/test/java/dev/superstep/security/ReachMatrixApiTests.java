package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.security.TenantMatrix.Sharing;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Every operation of both OpenAPI documents, called by one that is limited with all that others of
/// its tenant have: of graphs that it may not reach, and of those that it shares with them.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"superstep.api-keys=operator", "superstep.tenants.enabled=true"})
@Import(TestDatabase.class)
class ReachMatrixApiTests {
  private static final String ALL =
      "\"roles\":[\"admin\",\"author\",\"operator\",\"runner\",\"answerer\",\"viewer\"]";

  @LocalServerPort private int port;
  @Autowired private JdbcClient owner;

  /// @param secret of the key
  private record Key(String id, String secret) {}

  /// A case for each kind of limit.
  ///
  /// @param tenant of all in it
  /// @param limit members of the body that makes the key
  private record Case(String tenant, String limit) {}

  @ParameterizedTest
  @ValueSource(strings = {"default", "teams"})
  void reachesNothingOfOtherGraphs(String tenant) throws IOException {
    assertThat(
            leaks(
                new Case(
                    tenant,
                    "\"graphs\":[\"own-*\"],\"roles\":[\"author\",\"operator\",\"runner\",\"answerer\"]")))
        .isEmpty();
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
    assertThat(
            leaks(new Case("free", "\"roles\":[\"author\",\"operator\",\"runner\",\"answerer\"]")))
        .hasSizeGreaterThan(50);
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

  private List<String> leaks(Case limited) throws IOException {
    var tenant = limited.tenant();
    var victim =
        new TenantThings(port, tenant + "-victim", "victim", key(tenant, "victim", ALL).secret());
    var foreign = victim.make();
    var maker = key(tenant, "maker", ALL);
    var own = new TenantThings(port, tenant, "own", maker.secret()).make();
    var key = key(tenant, "limited", limited.limit());
    for (var change :
        List.of(
            "update run set caller = :limited where caller = :maker",
            "update thread set owner = :limited where owner = :maker")) {
      owner.sql(change).param("limited", key.id()).param("maker", maker.id()).update();
    }
    var caller = new TenantThings(port, tenant, "own", key.secret());
    var requests = new TenantRequests(Operations.of(port, "operator"));
    var all =
        new TenantMatrix(caller, List.of(victim), owner, own, List.of(foreign), Sharing.IDS)
            .leaks(requests);
    var assistant = foreign.getOrDefault("assistant", "");
    var made = "\"caller\": \"" + key.id(); // as if there were no such item of the others
    return limited.limit().contains("graphs")
        ? all
        : all.stream().filter(it -> !it.contains(made) && !isAboutGraphs(it, assistant)).toList();
  }

  private Key key(String tenant, String name, String limit) throws IOException {
    var body = "{\"name\":\"%s\",\"tenant\":\"%s\",%s}".formatted(name, tenant, limit);
    var made =
        RawHttp.sendBody(
            "POST",
            port,
            "/v1/keys",
            body,
            "Host: superstep.example",
            "Authorization: Bearer operator",
            "Content-Type: application/json",
            "Content-Length: " + body.length());
    assertThat(made).startsWith("HTTP/1.1 201");
    return new Key(
        made.replaceAll("(?s).*?\"id\":\"([^\"]+)\".*", "$1"),
        made.replaceAll("(?s).*\"secret\":\"([^\"]+)\".*", "$1"));
  }
}
