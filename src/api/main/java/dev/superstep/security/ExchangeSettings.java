package dev.superstep.security;

import dev.superstep.problem.Setting;
import dev.superstep.secret.SecretReference;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// As which client this server has issuers exchange tokens of callers (RFC 8693).
///
/// @param exchange by names that mean nothing but here
@ConfigurationProperties("superstep.auth")
record ExchangeSettings(@DefaultValue Map<String, ExchangeClient> exchange) {
  private static final int CLIENTS_MAX = 50;

  ExchangeSettings {
    exchange = Map.copyOf(exchange);
    new Setting("superstep.auth.exchange").within(0, CLIENTS_MAX, exchange.size());
    exchange.forEach((name, client) -> client.check("superstep.auth.exchange." + name));
  }

  /// @param issuer that knows it; empty: there is one issuer only
  /// @param clientId as which the issuer knows this server
  /// @param clientSecret where the secret of that client is kept
  record ExchangeClient(
      @DefaultValue("") String issuer,
      @DefaultValue("") String clientId,
      @DefaultValue("") String clientSecret) {
    private void check(String property) {
      if (clientId.isBlank()) {
        throw new Setting(property + ".client-id").invalid("is missing");
      }
      if (SecretReference.parse(clientSecret).isEmpty()) {
        throw new Setting(property + ".client-secret").invalid(SecretReference.FORMS);
      }
    }
  }
}
