package dev.superstep.security;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Whose tokens are taken beside those of [JwtSettings].
///
/// @param issuers by names that mean nothing but here
@ConfigurationProperties("superstep.auth")
record IssuerSettings(@DefaultValue Map<String, JwtSettings> issuers) {
  IssuerSettings {
    issuers = Map.copyOf(issuers);
  }
}
