package dev.superstep.security;

import dev.superstep.problem.ServiceException;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Finds out whose key a request carries: one of the settings, which may do everything, a stored
/// one, or the token of an OpenID provider. Its presence also keeps Spring Boot from creating a
/// default user.
@Component
class KeyAuthentication implements AuthenticationManager {
  private final ApiKeys keys;
  private final ObjectProvider<Credentials> stored;

  KeyAuthentication(ApiKeys keys, ObjectProvider<Credentials> stored) {
    this.keys = keys;
    this.stored = stored;
  }

  /// @throws AuthenticationServiceException if the database or the issuer of tokens is away
  @Override
  public Authentication authenticate(Authentication presented) {
    var key = String.valueOf(presented.getCredentials());
    return keys.bearer(key)
        .map(Caller::operator)
        .or(() -> stored(key))
        .orElseThrow(() -> new BadCredentialsException("unknown API key"))
        .authentication();
  }

  private Optional<Caller> stored(String key) {
    try {
      return stored.stream().flatMap(it -> it.caller(key).stream()).findFirst();
    } catch (DataAccessException | TransactionException | ServiceException e) {
      throw new AuthenticationServiceException("it cannot be told now whose key this is", e);
    }
  }
}
