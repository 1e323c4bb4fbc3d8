package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.context.Glob;
import dev.superstep.database.TenantSettings;
import dev.superstep.problem.InvalidSettingException;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.JwtSettings.GroupRoles;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;

/// Tokens of a provider that publishes its keys over HTTP.
class JwtCallersTests {
  private static final TenantSettings NO_TENANTS = new TenantSettings(false);

  /// Of all tokens of a test, so that two of them are equal in it.
  private final Instant end = Instant.now().plusSeconds(60);

  private static final String ISSUER = "https://login.example/realms/one";
  private static RSAKey first;
  private static RSAKey second;

  private final AtomicInteger fetches = new AtomicInteger();
  private volatile String published = "";
  private HttpServer server;
  private JwtCallers callers;

  @BeforeAll
  static void makesKeys() throws Exception {
    first = new RSAKeyGenerator(2048).keyID("first").generate();
    second = new RSAKeyGenerator(2048).keyID("second").generate();
  }

  @BeforeEach
  void serves() throws Exception {
    publish(first);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/keys",
        exchange -> {
          fetches.incrementAndGet();
          var body = published.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    callers =
        new JwtCallers(
            settings("http://127.0.0.1:%d/keys".formatted(server.getAddress().getPort())));
  }

  @AfterEach
  void stops() {
    server.stop(0);
  }

  @Test
  void takesATokenWithItsScopes() throws Exception {
    var caller = callers.caller(signed(first, claims().build())).orElseThrow();
    assertThat(caller.scopes())
        .containsExactlyInAnyOrder(ApiScope.READ, ApiScope.RUN, ApiScope.ANSWER);
    assertThat(caller.id()).matches("[0-9a-f]{16}");
    var again = claims().claim("scope", List.of("superstep:operate", "read")).build();
    var token = signed(first, again);
    var sent = callers.caller(token).orElseThrow();
    assertThat(sent)
        .usingRecursiveComparison()
        .ignoringFields("token")
        .isEqualTo(
            new Caller(caller.id(), Set.of(ApiScope.OPERATE, ApiScope.ADMIN), caller.endsAt())
                .called(caller.known()));
    assertThat(sent.token().orElseThrow().value()).isEqualTo(token);
    assertThat(sent.token().orElseThrow().audience()).containsExactly("superstep");
    assertThat(sent.authentication().toString()).doesNotContain(token);
    assertThat(callers.caller(signed(first, claims().claim("scope", null).build())).orElseThrow())
        .usingRecursiveComparison()
        .ignoringFields("token")
        .isEqualTo(new Caller(caller.id(), Set.of(), caller.endsAt()).called(caller.known()));
    assertThat(fetches).hasValue(1);
  }

  @Test
  void takesATokenWithTheRolesThatItsClaimNames() throws Exception {
    var claims = claims().claim("scope", null).claim("sub", "eve");
    var named = Map.of("roles", List.of("superstep:answerer", "admin", "offline_access"));
    var token = signed(first, claims.claim("realm_access", named).build());
    assertThat(callers.caller(token).orElseThrow().scopes())
        .containsExactlyInAnyOrder(ApiScope.READ, ApiScope.ANSWER);
    for (Object other :
        List.of(
            "superstep:admin",
            List.of("superstep:admin"),
            Map.of("role", "superstep:admin"),
            Map.of("", "superstep:admin"),
            7)) {
      var wrong = signed(first, claims.claim("realm_access", other).build());
      assertThat(callers.caller(wrong).orElseThrow().scopes()).as("%s", other).isEmpty();
    }
  }

  /// Without a prefix, an issuer may mean something else by what has been added here since.
  @Test
  void takesNoNewScopeWithoutAPrefix() throws Exception {
    var plain =
        new JwtSettings(
            ISSUER,
            "http://127.0.0.1:%d/keys".formatted(server.getAddress().getPort()),
            "superstep",
            "scope",
            "",
            "",
            List.of(),
            JwtSettings.TenantOfTokens.DEFAULT,
            algorithms(),
            Duration.ZERO);
    var token = claims().claim("scope", "read admin answer").claim("", "admin").build();
    assertThat(new JwtCallers(plain).caller(signed(first, token)).orElseThrow().scopes())
        .containsExactly(ApiScope.READ);
    var roles =
        new JwtSettings(
            ISSUER,
            plain.jwksUri(),
            "superstep",
            "scope",
            "",
            "roles",
            List.of(),
            JwtSettings.TenantOfTokens.DEFAULT,
            algorithms(),
            Duration.ZERO);
    assertThatThrownBy(() -> roles.checked("x"))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("x.scope-prefix");
  }

  private JwtCallers mapping(GroupRoles... groups) {
    var address = "http://127.0.0.1:%d/keys".formatted(server.getAddress().getPort());
    return new JwtCallers(settings(address, List.of(groups)));
  }

  @Test
  void givesTheRolesThatASettingMapsAClaimTo() throws Exception {
    var mapped =
        mapping(
            new GroupRoles("/clerks", List.of(Role.RUNNER), List.of(), false, List.of()),
            new GroupRoles("leads", List.of(Role.ANSWERER), List.of(), false, List.of()));
    var claims = claims().claim("scope", null);
    for (var groups :
        List.of(List.of("/clerks", "leads"), List.of("/clerks"), List.of("admin", "clerks"))) {
      var token = signed(first, claims.claim("realm_access", Map.of("roles", groups)).build());
      assertThat(mapped.caller(token).orElseThrow().scopes())
          .as("%s", groups)
          .isEqualTo(
              groups.contains("leads")
                  ? Set.of(ApiScope.READ, ApiScope.RUN, ApiScope.ANSWER)
                  : groups.contains("/clerks")
                      ? Set.of(ApiScope.READ, ApiScope.RUN)
                      : Set.<ApiScope>of());
    }
  }

  @Test
  void limitsWhatAGroupMayReach() throws Exception {
    var mapped =
        mapping(
            new GroupRoles("customers", List.of(Role.RUNNER), List.of("shop-*"), true, List.of()),
            new GroupRoles("shop", List.of(Role.RUNNER), List.of("shop-*"), false, List.of()),
            new GroupRoles("clerks", List.of(Role.VIEWER), List.of(), false, List.of()));
    var shop = List.of(Glob.of("shop-*"));
    for (var groups : List.of("customers", "customers shop", "customers clerks")) {
      var claims = claims().claim("scope", null).claim("realm_access", Map.of("roles", groups));
      var caller = mapped.caller(signed(first, claims.build())).orElseThrow();
      var run = new Reach(caller.id(), groups.contains("shop") ? shop : List.of(), shop);
      assertThat(caller.reaches())
          .as(groups)
          .isEqualTo(
              groups.contains("clerks")
                  ? Map.of(ApiScope.RUN, run)
                  : Map.of(ApiScope.READ, run, ApiScope.RUN, run));
    }
  }

  /// What groups and scopes give together is no more than each of them gives.
  @Test
  void limitsWhichTasksABearerMayExecute() throws Exception {
    var mapped =
        mapping(
            new GroupRoles("payers", List.of(Role.WORKER), List.of("shop"), false, List.of("pay")),
            new GroupRoles(
                "mailers", List.of(Role.WORKER), List.of("news"), false, List.of("mail")),
            new GroupRoles("workers", List.of(Role.WORKER), List.of(), false, List.of()));

    assertThat(tasks(mapped, "", "payers mailers"))
        .containsExactly("[pay] [shop]", "[mail] [news]");
    assertThat(tasks(mapped, "superstep:work:bill.*", "payers"))
        .containsExactly("[bill.*] [*]", "[pay] [shop]");
    assertThat(tasks(mapped, "superstep:work:bill.* superstep:work", "")).isEmpty();
    assertThat(tasks(mapped, "superstep:work:bill.*", "workers")).isEmpty();
  }

  private List<String> tasks(JwtCallers from, String scope, String groups) throws Exception {
    var claims = claims().claim("scope", scope).claim("realm_access", Map.of("roles", groups));
    var caller = from.caller(signed(first, claims.build())).orElseThrow();
    assertThat(caller.scopes()).containsExactly(ApiScope.WORK);
    return Optional.ofNullable(caller.reaches().get(ApiScope.WORK)).stream()
        .flatMap(it -> it.tasks().stream())
        .map(it -> "%s %s".formatted(it.types(), it.graphs()))
        .toList();
  }

  @Test
  void takesNoScopeOfTasksThatIsNone() throws Exception {
    for (var scope : List.of("superstep:work:", "superstep:work:a b", "superstep:work:a/b")) {
      var claims = claims().claim("scope", List.of(scope)).build();
      assertThat(callers.caller(signed(first, claims)).orElseThrow().scopes()).as(scope).isEmpty();
    }
  }

  @Test
  void refusesLimitsOfRolesThatAreForAll() {
    for (var group :
        List.of(
            new GroupRoles("x", List.of(Role.ADMIN), List.of("a"), false, List.of()),
            new GroupRoles("x", List.of(Role.AUTHOR), List.of(), true, List.of()),
            new GroupRoles("x", List.of(Role.VIEWER), List.of("acme/a"), false, List.of()),
            new GroupRoles("x", List.of(Role.VIEWER), List.of(), false, List.of("pay")),
            new GroupRoles("x", List.of(Role.WORKER), List.of(), false, List.of("a b")),
            new GroupRoles("x", List.of(Role.ADMIN), List.of(), false, List.of("pay")))) {
      assertThatThrownBy(() -> settings("http://127.0.0.1/keys", List.of(group)).checked("x"))
          .as("%s", group)
          .isInstanceOf(InvalidSettingException.class)
          .hasMessageContaining("x.groups[0].");
    }
  }

  /// The issuer signs others with the same keys: that somebody has logged out, or proves to hold a
  /// key.
  @Test
  void takesAccessTokensOnly() throws Exception {
    for (var type : List.of("JWT", "jwt", "at+jwt", "application/at+jwt")) {
      assertThat(callers.caller(signed(first, claims().build(), type))).as(type).isPresent();
    }
    for (var type : List.of("logout+jwt", "dpop+jwt", "secevent+jwt", "JOSE", "x")) {
      assertThat(callers.caller(signed(first, claims().build(), type))).as(type).isEmpty();
    }
  }

  @Test
  void takesNoTokenThatIsForOthersOrOver() throws Exception {
    var past = Date.from(Instant.now().minusSeconds(60));
    var future = Date.from(Instant.now().plusSeconds(600));
    for (var claims :
        List.of(
            claims().issuer("https://login.example/realms/two"),
            claims().issuer(null),
            claims().audience("another"),
            claims().audience((String) null),
            claims().expirationTime(past),
            claims().expirationTime(null),
            claims().notBeforeTime(future),
            claims().subject(null))) {
      assertThat(callers.caller(signed(first, claims.build()))).isEmpty();
    }
  }

  @Test
  void allowsClocksToDiffer() throws Exception {
    var past = Date.from(Instant.now().minusSeconds(10));
    assertThat(callers.caller(signed(first, claims().expirationTime(past).build()))).isPresent();
  }

  @Test
  void takesNoTokenThatTheProviderDidNotSign() throws Exception {
    var forged = new RSAKeyGenerator(2048).keyID("first").generate();
    assertThat(callers.caller(signed(forged, claims().build()))).isEmpty();
    assertThat(callers.caller(new PlainJWT(claims().build()).serialize())).isEmpty();
    var confused =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("first").build(), claims().build());
    confused.sign(new MACSigner(first.toRSAPublicKey().getEncoded()));
    assertThat(callers.caller(confused.serialize())).isEmpty();
    assertThat(callers.caller("a.b.c")).isEmpty();
    assertThat(callers.caller("no token")).isEmpty();
  }

  @Test
  void fetchesKeysAgainForAnUnknownOneButNotEachTime() throws Exception {
    assertThat(callers.caller(signed(first, claims().build()))).isPresent();
    publish(second);
    assertThat(callers.caller(signed(second, claims().build()))).isPresent();
    assertThat(callers.caller(signed(first, claims().build()))).isEmpty();
    int before = fetches.get();
    for (int i = 0; i < 20; i++) {
      assertThat(callers.caller(signed(first, claims().build()))).isEmpty();
    }
    assertThat(fetches.get()).isLessThanOrEqualTo(before + 1);
  }

  /// Each byte comes in time for the time-out of a socket, the last one never.
  @Test
  @Timeout(60)
  void givesUpOnAProviderThatDrips() throws Exception {
    var gone = new CountDownLatch(1);
    server.createContext(
        "/drips",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          try (var body = exchange.getResponseBody()) {
            while (true) {
              body.write(' ');
              body.flush();
              Thread.sleep(100);
            }
          } catch (InterruptedException e) {
            throw new IOException(e);
          } finally {
            gone.countDown();
          }
        });
    var dripping =
        new JwtCallers(
            settings("http://127.0.0.1:%d/drips".formatted(server.getAddress().getPort())));

    assertThatThrownBy(() -> dripping.caller(signed(first, claims().build())))
        .isInstanceOf(ServiceException.class)
        .hasMessageContaining("cannot be had now");
    assertThat(gone.await(20, TimeUnit.SECONDS)).as("the connection is closed").isTrue();
  }

  @Test
  void saysThatTheProviderIsAway() throws Exception {
    server.stop(0);
    var token = signed(first, claims().build());
    assertThatThrownBy(() -> callers.caller(token)).isInstanceOf(ServiceException.class);
  }

  /// The server asks the provider twice in half a minute at most; in between it still does not know
  /// whose token this is, and must not call it a wrong one.
  @Test
  void saysThatTheProviderIsAwayHoweverOftenItIsAsked() throws Exception {
    server.stop(0);
    var token = signed(first, claims().build());
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> callers.caller(token)).isInstanceOf(ServiceException.class);
    }
  }

  @Test
  void refusesSettingsThatWouldTakeTokensForOthers() {
    assertThatThrownBy(() -> settings("file:/keys").checked("x"))
        .isInstanceOf(InvalidSettingException.class);
    assertThat(settings("").isDiscovered()).isTrue();
    assertThatThrownBy(() ->
            new JwtSettings(
                    "our login",
                    "",
                    "superstep",
                    "scope",
                    "",
                    "",
                    List.of(),
                    JwtSettings.TenantOfTokens.DEFAULT,
                    algorithms(),
                    Duration.ZERO)
                .checked("superstep.auth.issuers.corp"))
        .hasMessageContaining("superstep.auth.issuers.corp.jwks-uri");
    assertThatThrownBy(() ->
            new JwtSettings(
                    ISSUER,
                    "https://x.example/keys",
                    "",
                    "scope",
                    "",
                    "",
                    List.of(),
                    JwtSettings.TenantOfTokens.DEFAULT,
                    algorithms(),
                    Duration.ZERO)
                .checked("superstep.auth.issuers.corp"))
        .isInstanceOf(InvalidSettingException.class);
  }

  /// Each with its own keys, claims and roles; what one has signed is nothing at the other.
  @Test
  void takesTheTokensOfEachIssuerByItsOwnRules() throws Exception {
    var address = "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
    server.createContext(
        "/other",
        exchange -> {
          var body = new JWKSet(second.toPublicJWK()).toString().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    var other =
        new JwtSettings(
            "https://login.example/partners",
            address + "other",
            "superstep",
            "scope",
            "",
            "groups",
            List.of(
                new GroupRoles("superstep:read", List.of(Role.ADMIN), List.of(), false, List.of()),
                new GroupRoles("buyers", List.of(Role.ANSWERER), List.of(), false, List.of())),
            JwtSettings.TenantOfTokens.DEFAULT,
            algorithms(),
            Duration.ZERO);
    var tokens =
        new TokenCallers(
            settings(address + "keys"), new IssuerSettings(Map.of("partners", other)), NO_TENANTS);
    var partner =
        claims().issuer(other.issuer()).claim("scope", null).claim("groups", List.of("buyers"));

    assertThat(tokens.caller(signed(first, claims().build())).orElseThrow().scopes())
        .containsExactlyInAnyOrder(ApiScope.READ, ApiScope.RUN, ApiScope.ANSWER);
    var bought = tokens.caller(signed(second, partner.build())).orElseThrow();
    assertThat(bought.scopes()).containsExactlyInAnyOrder(ApiScope.READ, ApiScope.ANSWER);
    assertThat(bought.id())
        .as("the same subject of another issuer is another caller")
        .isNotEqualTo(tokens.caller(signed(first, claims().build())).orElseThrow().id());
    assertThat(tokens.caller(signed(first, partner.build()))).isEmpty();
    assertThat(tokens.caller(signed(second, claims().build()))).isEmpty();
    assertThat(tokens.caller(signed(first, claims().issuer("https://x.example").build())))
        .isEmpty();
    assertThat(tokens.caller("a.b.c")).isEmpty();
    assertThatThrownBy(() ->
            new TokenCallers(
                settings(address), new IssuerSettings(Map.of("again", settings(""))), NO_TENANTS))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("twice");
  }

  /// By a claim, and never as the default tenant's if that says nothing.
  @Test
  void takesTheTenantFromTheClaim() throws Exception {
    var settings = of(new JwtSettings.TenantOfTokens("", "org.tenant"));
    var callers = new JwtCallers(settings);
    var acme = claims().claim("org", Map.of("tenant", "acme")).build();
    var globex = claims().claim("org", Map.of("tenant", "globex")).build();
    assertThat(callers.caller(signed(first, acme)).orElseThrow().tenant())
        .isEqualTo(new Tenant("acme"));
    assertThat(callers.caller(signed(first, acme)).orElseThrow().id())
        .as("the same person in another tenant is another caller")
        .isNotEqualTo(callers.caller(signed(first, globex)).orElseThrow().id());
    for (var none : new Object[] {"", "Acme", "a/b", List.of("acme"), Map.of()}) {
      var token = claims().claim("org", Map.of("tenant", none)).build();
      assertThat(callers.caller(signed(first, token))).as("%s", none).isEmpty();
    }
    assertThat(callers.caller(signed(first, claims().build()))).isEmpty();
    assertThat(callers.caller(signed(first, claims().claim("org", "acme").build()))).isEmpty();
  }

  @Test
  void takesTheTenantOfTheIssuer() throws Exception {
    var settings = of(new JwtSettings.TenantOfTokens("acme", ""));
    assertThat(
            new JwtCallers(settings).caller(signed(first, claims().build())).orElseThrow().tenant())
        .isEqualTo(new Tenant("acme"));
    assertThatThrownBy(() -> new TokenCallers(settings, new IssuerSettings(Map.of()), NO_TENANTS))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("superstep.tenants.enabled");
    for (var wrong :
        List.of(
            new JwtSettings.TenantOfTokens("acme", "org"),
            new JwtSettings.TenantOfTokens("A/b", ""))) {
      assertThatThrownBy(() -> of(wrong).checked("x"))
          .isInstanceOf(InvalidSettingException.class)
          .hasMessageContaining("x.tenant");
    }
  }

  private JwtSettings of(JwtSettings.TenantOfTokens tenant) {
    return new JwtSettings(
        ISSUER,
        "http://127.0.0.1:%d/keys".formatted(server.getAddress().getPort()),
        "superstep",
        "scope",
        "superstep:",
        "",
        List.of(),
        tenant,
        algorithms(),
        Duration.ZERO);
  }

  private void publish(RSAKey key) {
    published = new JWKSet(key.toPublicJWK()).toString();
  }

  private static JwtSettings settings(String keys) {
    return settings(keys, List.of());
  }

  private static JwtSettings settings(String keys, List<GroupRoles> groups) {
    return new JwtSettings(
        ISSUER,
        keys,
        "superstep",
        "scope",
        "superstep:",
        "realm_access.roles",
        groups,
        JwtSettings.TenantOfTokens.DEFAULT,
        algorithms(),
        Duration.ofSeconds(30));
  }

  private static List<SignatureAlgorithm> algorithms() {
    return List.of(SignatureAlgorithm.RS256);
  }

  private JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .subject("ada")
        .audience("superstep")
        .expirationTime(Date.from(end))
        .claim("scope", "openid superstep:read superstep:run author superstep:");
  }

  private static String signed(RSAKey key, JWTClaimsSet claims) throws Exception {
    return signed(key, claims, null);
  }

  private static String signed(RSAKey key, JWTClaimsSet claims, @Nullable String type)
      throws Exception {
    var header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID());
    if (type != null) {
      header.type(new JOSEObjectType(type));
    }
    var token = new SignedJWT(header.build(), claims);
    token.sign(new RSASSASigner(key));
    return token.serialize();
  }
}
