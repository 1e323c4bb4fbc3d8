package dev.superstep.security;

import dev.superstep.audit.AuditOutcome;
import java.util.Locale;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtException;

/// Why somebody could not sign in, as the console is told in the address of its page. No text of
/// the provider or the address is shown.
enum SignInFailure {
  /// The provider says that the person, or it, has refused.
  DENIED,
  /// The answer of the provider belongs to nothing that this browser has begun, or not any more.
  EXPIRED,
  /// The person has no role here.
  NO_ROLE,
  /// There are too many who sign in or are signed in.
  BUSY,
  /// The provider or the database cannot be reached, or the provider refuses this server.
  UNAVAILABLE,
  /// What the provider has answered is not valid.
  REFUSED;

  /// As an error code of Spring Security.
  String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether that person is refused, or cannot sign in now.
  AuditOutcome outcome() {
    return switch (this) {
      case DENIED, EXPIRED, NO_ROLE, REFUSED -> AuditOutcome.REFUSED;
      case BUSY, UNAVAILABLE -> AuditOutcome.FAILED;
    };
  }

  String page(String url) {
    return url + "/?sign_in=" + code();
  }

  static SignInFailure of(Throwable failure) {
    return failure instanceof OAuth2AuthenticationException e && !lacksKeys(e)
        ? of(e.getError().getErrorCode())
        : UNAVAILABLE;
  }

  /// Whether the signature of an ID token could not be checked.
  private static boolean lacksKeys(OAuth2AuthenticationException failure) {
    return failure.getCause() instanceof JwtException
        && !(failure.getCause() instanceof BadJwtException);
  }

  private static SignInFailure of(String code) {
    return switch (code) {
      case "access_denied" -> DENIED;
      case "authorization_request_not_found", "invalid_grant", "expired" -> EXPIRED;
      case "no_role" -> NO_ROLE;
      case "busy" -> BUSY;
      case "server_error",
          "temporarily_unavailable",
          "invalid_token_response",
          "invalid_client",
          "invalid_request",
          "invalid_scope",
          "unauthorized_client",
          "unsupported_response_type" ->
          UNAVAILABLE;
      default -> REFUSED;
    };
  }
}
