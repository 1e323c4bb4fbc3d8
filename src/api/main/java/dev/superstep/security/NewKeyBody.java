package dev.superstep.security;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.Grant.Limit;
import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A request to make a key.
record NewKeyBody(
    @Nullable String name,
    @Nullable String tenant,
    @Nullable List<@Nullable String> roles,
    @Nullable List<@Nullable String> scopes,
    @Nullable List<@Nullable String> graphs,
    @JsonProperty("own_only") @Nullable Boolean ownOnly,
    @JsonProperty("task_types") @Nullable List<@Nullable String> taskTypes,
    @JsonProperty("expires_at") @Nullable Instant expiresAt) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final String ROLES = names(Stream.of(Role.values()).map(Role::text));
  private static final String SCOPES = names(Stream.of(ApiScope.values()).map(ApiScope::text));
  private static final Instant END = Instant.parse("9999-12-31T00:00:00Z");

  /// @param tenant of a key that names none
  /// @param lasts when the credential of the caller ends
  NewKey checked(Tenant tenant, String caller, Optional<Instant> lasts, Instant now) {
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
        this.tenant == null ? tenant : named(this.tenant),
        name,
        limited(grant()),
        Optional.ofNullable(expiresAt).or(() -> lasts),
        caller,
        lasts.map(_ -> caller));
  }

  private static Tenant named(String tenant) {
    if (!Tenant.isName(tenant)) {
      throw ServiceException.at("/tenant", ErrorCode.INVALID_VALUE, Tenant.NAME_FORM);
    }
    return new Tenant(tenant);
  }

  private static String names(Stream<String> all) {
    return all.collect(Collectors.joining(", "));
  }

  private Grant grant() {
    if (scopes == null && roles == null) {
      throw ServiceException.at("/roles", ErrorCode.MISSING_FIELD, "is missing, and so is /scopes");
    }
    var grant =
        Grant.of(
            known("/roles", roles, it -> Role.find(it).isPresent(), ROLES),
            known("/scopes", scopes, it -> ApiScope.granted(it).findAny().isPresent(), SCOPES));
    if (grant.all().isEmpty()) {
      throw ServiceException.at(
          roles == null ? "/scopes" : "/roles", ErrorCode.INVALID_VALUE, "must not be empty");
    }
    return grant;
  }

  private Grant limited(Grant grant) {
    var limit =
        new Limit(
            patterns("/graphs", graphs, Limit::refusal),
            Boolean.TRUE.equals(ownOnly),
            patterns("/task_types", taskTypes, Limit::refusalOfTypes));
    if (!limit.taskTypes().isEmpty() && !grant.all().contains(ApiScope.WORK)) {
      throw ServiceException.at(
          "/task_types",
          ErrorCode.INVALID_VALUE,
          "limit the scope 'work', which the key would not have");
    }
    limit.refused(grant.all()).stream()
        .map(ApiScope::text)
        .sorted()
        .findFirst()
        .ifPresent(it -> {
          throw ServiceException.at(
              limit.ownOnly() ? "/own_only" : graphs == null ? "/task_types" : "/graphs",
              ErrorCode.INVALID_VALUE,
              "cannot limit the scope '%s', which the key would have; give it other roles"
                  .formatted(it));
        });
    return grant.limited(limit);
  }

  /// @param refusal why something is no pattern
  private static List<String> patterns(
      String pointer,
      @Nullable List<@Nullable String> patterns,
      Function<String, Optional<String>> refusal) {
    var found = new ArrayList<String>();
    for (var pattern : patterns == null ? List.<@Nullable String>of() : patterns) {
      if (found.size() == Limit.PATTERNS_MAX) {
        throw ServiceException.at(
            pointer, ErrorCode.LIMIT_EXCEEDED, "may have at most " + Limit.PATTERNS_MAX);
      }
      var refused =
          pattern == null ? Optional.of("must be a pattern of names") : refusal.apply(pattern);
      if (pattern == null || refused.isPresent()) {
        throw ServiceException.at(
            pointer + "/" + found.size(), ErrorCode.INVALID_VALUE, refused.orElseThrow());
      }
      found.add(pattern);
    }
    if (patterns != null && found.isEmpty()) {
      throw ServiceException.at(
          pointer, ErrorCode.INVALID_VALUE, "must not be empty; leave it out for all");
    }
    return found;
  }

  /// @param names what there is, for who names something else
  private static List<String> known(
      String pointer,
      @Nullable List<@Nullable String> texts,
      Predicate<String> isKnown,
      String names) {
    var found = new ArrayList<String>();
    for (var text : texts == null ? List.<@Nullable String>of() : texts) {
      if (text == null || !isKnown.test(text)) {
        throw ServiceException.at(
            pointer + "/" + found.size(), ErrorCode.INVALID_VALUE, "must be one of " + names);
      }
      found.add(text);
    }
    return found;
  }
}
