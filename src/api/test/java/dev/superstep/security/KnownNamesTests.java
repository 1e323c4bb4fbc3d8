package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.security.Caller.KnownNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;

/// What questions may call the bearer of a token.
class KnownNamesTests {
  private static final JwtSettings SETTINGS =
      new JwtSettings(
          "https://login.example/realms/one",
          "https://login.example/keys",
          "superstep",
          "scope",
          "superstep:",
          "groups",
          List.of(),
          JwtSettings.TenantOfTokens.DEFAULT,
          List.of(SignatureAlgorithm.RS256),
          Duration.ZERO);

  private static KnownNames known(boolean alone, Map<String, Object> claims) {
    return new JwtCallers(SETTINGS, alone).caller(claims, Optional.empty()).orElseThrow().known();
  }

  @Test
  void areTheVerifiedAddressAndTheSubject() {
    var claims =
        Map.<String, Object>of(
            "sub",
            "a-1",
            "email",
            "Ann@Example.com",
            "email_verified",
            true,
            "groups",
            List.of("finance", "legal"));

    assertThat(known(true, claims).names()).containsExactly("ann@example.com", "a-1");
    assertThat(known(true, claims).groups()).isEqualTo(Set.of("finance", "legal"));
  }

  /// An address that nobody has verified is anybody's.
  @Test
  void areNotTheAddressThatIsNotVerified() {
    var claimed = Map.<String, Object>of("sub", "a-1", "email", "ann@example.com");
    assertThat(known(true, claimed).names()).containsExactly("a-1");
    var refuted = Map.<String, Object>of("sub", "a", "email", "a@b.c", "email_verified", "false");
    assertThat(known(true, refuted).names()).containsExactly("a");
  }

  /// Two issuers may have the same one.
  @Test
  void areNotTheSubjectWhereThereAreSeveralIssuers() {
    assertThat(known(false, Map.of("sub", "a-1")).names()).isEmpty();
  }

  @Test
  void areNoGroupOrRoleOrWord() {
    for (var subject : List.of("group:finance", "role:admin", "starter")) {
      assertThat(known(true, Map.of("sub", subject)).names()).isEmpty();
    }
  }
}
