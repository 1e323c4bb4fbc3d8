package dev.superstep.security;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A request to make a key.
record NewKeyBody(
    @Nullable String name,
    @Nullable List<@Nullable String> scopes,
    @JsonProperty("expires_at") @Nullable Instant expiresAt) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final Instant END = Instant.parse("9999-12-31T00:00:00Z");

  /// @param lasts when the credential of the caller ends
  NewKey checked(String caller, Optional<Instant> lasts, Instant now) {
    if (name == null) {
      throw ServiceException.at("/name", ErrorCode.MISSING_FIELD, "is missing");
    }
    if (!NAME.matcher(name).matches()) {
      throw ServiceException.at(
          "/name",
          ErrorCode.INVALID_VALUE,
          "must have 1 to 100 letters, digits, '.', '_' and '-', and begin with one of the former"
              + " two");
    }
    if (expiresAt != null && (!expiresAt.isAfter(now) || expiresAt.isAfter(END))) {
      throw ServiceException.at(
          "/expires_at", ErrorCode.INVALID_VALUE, "must be in the future, and before 9999-12-31");
    }
    if (expiresAt != null && lasts.filter(expiresAt::isAfter).isPresent()) {
      throw ServiceException.at(
          "/expires_at",
          ErrorCode.INVALID_VALUE,
          "is after %s, when your own key or token ends; a key ends no later than its maker"
              .formatted(lasts.get()));
    }
    return new NewKey(
        name,
        checkedScopes(),
        Optional.ofNullable(expiresAt).or(() -> lasts),
        caller,
        lasts.map(_ -> caller));
  }

  private Set<ApiScope> checkedScopes() {
    if (scopes == null) {
      throw ServiceException.at("/scopes", ErrorCode.MISSING_FIELD, "is missing");
    }
    var found = EnumSet.noneOf(ApiScope.class);
    for (int at = 0; at < scopes.size(); at++) {
      found.add(scope("/scopes/" + at, scopes.get(at)));
    }
    if (found.isEmpty()) {
      throw ServiceException.at("/scopes", ErrorCode.INVALID_VALUE, "must have at least one scope");
    }
    return found;
  }

  private static ApiScope scope(String pointer, @Nullable String text) {
    return Optional.ofNullable(text)
        .flatMap(ApiScope::find)
        .orElseThrow(() ->
            ServiceException.at(
                pointer, ErrorCode.INVALID_VALUE, "must be read, run, author or operate"));
  }
}
