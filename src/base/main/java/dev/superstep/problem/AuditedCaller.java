package dev.superstep.problem;

import dev.superstep.tenant.Tenant;
import java.util.Locale;
import java.util.Optional;

/// Who makes a call, as the audit log has it.
///
/// @param id of the key or the subject; empty: no key is needed, or none was known
/// @param address from which the request came, behind a trusted proxy that of the proxy's client
public record AuditedCaller(
    Tenant tenant, Optional<String> id, Credential credential, Optional<String> address) {
  /// What a caller has shown.
  public enum Credential {
    /// A key of the settings.
    SETTINGS,
    /// A key that was made over the API.
    KEY,
    /// A token of an OpenID provider.
    TOKEN,
    NONE;

    /// As rows and answers have it.
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
