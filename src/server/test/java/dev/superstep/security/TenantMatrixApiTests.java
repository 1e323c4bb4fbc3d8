package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.database.Walls;
import dev.superstep.database.Walls.Wall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Every operation of both OpenAPI documents, called with everything that other tenants have, with
/// each part of what keeps them apart alone. With all of it, that is done by [AttacksIT].
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"superstep.api-keys=operator", "superstep.tenants.enabled=true"})
@Import({TestDatabase.class, Walls.class})
@TestInstance(Lifecycle.PER_CLASS)
class TenantMatrixApiTests {
  private static final String ROLES =
      "[\"admin\",\"author\",\"operator\",\"runner\",\"answerer\",\"viewer\"]";

  private final List<TenantThings> victims = new ArrayList<>();
  private final List<Map<String, String>> foreign = new ArrayList<>();

  @LocalServerPort private int port;
  @Autowired private JdbcClient owner;
  @Autowired private Walls walls;

  @BeforeAll
  void makes() throws IOException {
    for (var tenant : List.of("default", "globex")) {
      var things = new TenantThings(port, tenant, "victim", key(tenant));
      foreign.add(things.make());
      victims.add(things);
    }
  }

  @AfterEach
  void puts() {
    walls.leave(Set.of(Wall.values()));
  }

  @Test
  void knowsEachPlaceForAnId() throws IOException {
    assertThat(new TenantRequests(Operations.of(port, "operator")).gaps())
        .as("say in TenantRequests where a new operation takes an id, or that it takes none")
        .isEmpty();
  }

  static Stream<Set<Wall>> walls() {
    return Stream.of(Set.of(Wall.IDS), Set.of(Wall.ROWS));
  }

  @ParameterizedTest
  @MethodSource("walls")
  void tellsNothingOfOthersFromWhatNobodyHas(Set<Wall> standing) throws IOException {
    var leaks = leaks("acme-" + standing.size() + standing.contains(Wall.IDS), standing);
    assertThat(leaks)
        .filteredOn(it -> standing.contains(Wall.IDS) || !isKeptByIdsAlone(it))
        .isEmpty();
  }

  /// The database keeps nobody from what is done for several tenants at a time: to look up the
  /// graph of a start and to insert its run, and to make a key. It shows nothing and changes
  /// nothing that is there. What else is made would be another tenant's, which the database
  /// refuses.
  private static boolean isKeptByIdsAlone(String leak) {
    return !leak.contains(" shows what ")
        && Stream.of(
                TenantMatrix.FAILS,
                "new in ",
                "POST /v1/runs as ",
                "POST /v1/runs/stream as ",
                "POST /v1/schedules as ",
                "POST /v1/keys as ")
            .anyMatch(leak::startsWith);
  }

  /// Else the others would find nothing, whatever there was.
  @Test
  void findsWhatIsNotKeptApart() throws IOException {
    var leaks = leaks("acme-none", Set.of());
    assertThat(leaks).hasSizeGreaterThan(100);
    assertThat(leaks).anyMatch(it -> it.startsWith("changed in "));
  }

  private List<String> leaks(String tenant, Set<Wall> standing) throws IOException {
    var caller = new TenantThings(port, tenant, "own", key(tenant));
    var own = caller.make();
    walls.leave(standing);
    var requests = new TenantRequests(Operations.of(port, "operator"));
    var sees = standing.isEmpty() ? caller.hasty() : caller;
    return new TenantMatrix(sees, victims, owner, own, foreign)
        .leaks(requests, standing.isEmpty() ? 1 : Integer.MAX_VALUE);
  }

  private String key(String tenant) throws IOException {
    var body = "{\"name\":\"of-%1$s\",\"tenant\":\"%1$s\",\"roles\":%2$s}".formatted(tenant, ROLES);
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
    return made.replaceAll("(?s).*\"secret\":\"([^\"]+)\".*", "$1");
  }
}
