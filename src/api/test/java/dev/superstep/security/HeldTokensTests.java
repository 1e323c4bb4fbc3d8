package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.audit.AuditSettings;
import dev.superstep.database.TenantSettings;
import dev.superstep.secret.OnBehalfOf;
import dev.superstep.secret.RunStarters.RunStarter;
import dev.superstep.secret.ToolsOnBehalf;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.context.SecurityContextHolder;

class HeldTokensTests {
  private static final ToolsOnBehalf ONE =
      new ToolsOnBehalf(Map.of("one", new OnBehalfOf(OnBehalfOf.TokenMode.PASS, "one", List.of())));
  private Instant now = Instant.now();
  private final InstantSource clock = () -> now;

  private HeldTokens held(ToolsOnBehalf tools) {
    return new HeldTokens(new HeldTokenSettings(Duration.ofMinutes(30), 10), () -> tools, clock);
  }

  private SubjectToken token(Duration lifetime) {
    return new SubjectToken(
        "eyJ.secret.words", "https://login.example", List.of("one"), now.plus(lifetime));
  }

  private static RunStarter starter(String caller, String... runs) {
    return new RunStarter(caller, List.of(runs), false);
  }

  @AfterEach
  void forgets() {
    SecurityContextHolder.clearContext();
  }

  @Test
  void findsWhatTheStarterOfARunOrOfOneAboveHasSent() {
    var held = held(ONE);
    held.keep("above", "ada", token(Duration.ofHours(1)));

    assertThat(held.find(starter("ada", "above"))).isPresent();
    assertThat(held.find(starter("ada", "below", "between", "above"))).isPresent();
    assertThat(held.find(starter("ada", "other"))).isEmpty();
    assertThat(held.find(starter("vera", "above"))).isEmpty();
  }

  @Test
  void keepsATokenToItsEndAndNoLongerThanItMay() {
    var held = held(ONE);
    held.keep("short", "ada", token(Duration.ofMinutes(1)));
    held.keep("long", "ada", token(Duration.ofHours(1)));

    now = now.plus(Duration.ofSeconds(49));
    assertThat(held.find(starter("ada", "short"))).isPresent();
    now = now.plus(Duration.ofSeconds(2));
    assertThat(held.find(starter("ada", "short"))).isEmpty();
    assertThat(held.find(starter("ada", "long"))).isPresent();
    now = now.plus(Duration.ofMinutes(29));
    assertThat(held.find(starter("ada", "long"))).isEmpty();
  }

  @Test
  void dropsTheTokenThatIsOverAndNotTheOneSentSince() {
    var held = held(ONE);
    held.keep("run", "ada", token(Duration.ofHours(1)));
    var over = held.find(starter("ada", "run")).orElseThrow();
    held.keep("run", "ada", token(Duration.ofHours(2)));

    held.drop(starter("ada", "run"), over);
    assertThat(held.find(starter("ada", "run"))).isPresent();
    held.drop(starter("ada", "run"), held.find(starter("ada", "run")).orElseThrow());
    assertThat(held.find(starter("ada", "run"))).isEmpty();
  }

  @Test
  void keepsSoManyOnly() {
    var held = held(ONE);
    IntStream.range(0, 1_000)
        .forEach(it -> held.keep("run-" + it, "ada", token(Duration.ofHours(1))));

    await()
        .untilAsserted(() ->
            assertThat(
                    IntStream.range(0, 1_000)
                        .filter(it -> held.find(starter("ada", "run-" + it)).isPresent()))
                .hasSizeLessThanOrEqualTo(10));
  }

  @Test
  void keepsNoneWhereNoToolNeedsOne() {
    var held = held(new ToolsOnBehalf(Map.of()));
    held.keep("run", "ada", token(Duration.ofHours(1)));

    assertThat(held.find(starter("ada", "run"))).isEmpty();
  }

  @Test
  void takesTokensOfStartersOnlyAndShowsThemToNobody() {
    var held = held(ONE);
    var callers =
        new AuthenticatedCallers(
            clock, new TenantSettings(false), new AuditSettings(false, Duration.ofDays(1)), held);
    var ada = new Caller("ada", Set.of(), Optional.empty());
    var sent = ada.with(token(Duration.ofHours(1))).authentication();

    SecurityContextHolder.getContext().setAuthentication(ada.authentication());
    assertThat(callers.lend("run", () -> "ada")).as("a session, or a key").isFalse();
    SecurityContextHolder.getContext().setAuthentication(sent);
    assertThat(callers.lend("run", () -> "vera")).isFalse();
    assertThat(held.find(starter("vera", "run"))).isEmpty();
    assertThat(held.find(starter("ada", "run"))).isEmpty();
    assertThat(callers.lend("run", () -> "ada")).isTrue();
    assertThat(held.find(starter("ada", "run"))).isPresent();
    assertThat(sent.toString() + held.find(starter("ada", "run"))).doesNotContain("secret");
  }
}
