package dev.superstep.security;

import com.nimbusds.jwt.JWTParser;
import dev.superstep.database.TenantSettings;
import dev.superstep.problem.Setting;
import java.text.ParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Takes the tokens of each issuer of the settings. Which one a token names is read before anything
/// is checked, and only says who checks it.
@Component
final class TokenCallers implements Credentials {
  private static final String ONE = "superstep.auth.jwt";
  private static final Setting MORE = new Setting("superstep.auth.issuers");
  private static final int ISSUERS_MAX = 50;
  private final Map<String, JwtCallers> byIssuer = new HashMap<>();
  private final boolean alone;

  TokenCallers(JwtSettings one, IssuerSettings more, TenantSettings tenants) {
    alone = more.issuers().size() + (one.isOff() ? 0 : 1) == 1;
    if (!one.isOff()) {
      add(one.checked(ONE), tenants);
    }
    MORE.within(0, ISSUERS_MAX, more.issuers().size());
    more.issuers()
        .forEach((name, settings) -> add(settings.checked(MORE.property() + "." + name), tenants));
  }

  private void add(JwtSettings settings, TenantSettings tenants) {
    if (settings.hasTenants() && !tenants.enabled()) {
      throw new Setting("superstep.tenants.enabled")
          .invalid("is false, but tokens of '%s' have a tenant".formatted(settings.issuer()));
    }
    if (byIssuer.put(settings.issuer(), new JwtCallers(settings, alone)) != null) {
      throw MORE.invalid("names the issuer '%s' twice".formatted(settings.issuer()));
    }
  }

  @Override
  public Optional<Caller> caller(String token) {
    if (byIssuer.isEmpty() || token.chars().filter(it -> it == '.').count() != 2) {
      return Optional.empty();
    }
    return issuer(token).map(byIssuer::get).flatMap(it -> it.caller(token));
  }

  /// With whom people sign in.
  ///
  /// @throws dev.superstep.problem.InvalidSettingException if there is no such issuer
  JwtCallers signingIn(SignInSettings settings) {
    var found = find(settings.issuer());
    return found
        .filter(it -> SignInSettings.origin(it.settings().issuer()).isPresent())
        .orElseThrow(() ->
            new Setting("superstep.auth.sign-in.issuer")
                .invalid(
                    "must be an issuer of superstep.auth.jwt or superstep.auth.issuers that is an"
                        + " http(s) address"));
  }

  /// @param issuer empty: the only one
  Optional<JwtCallers> find(String issuer) {
    return issuer.isEmpty() && byIssuer.size() == 1
        ? byIssuer.values().stream().findFirst()
        : Optional.ofNullable(byIssuer.get(issuer));
  }

  /// Whether no tokens are taken.
  boolean isEmpty() {
    return byIssuer.isEmpty();
  }

  private static Optional<String> issuer(String token) {
    try {
      return Optional.ofNullable(JWTParser.parse(token).getJWTClaimsSet().getIssuer());
    } catch (ParseException _) {
      return Optional.empty();
    }
  }
}
