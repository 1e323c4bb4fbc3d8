package dev.superstep.security;

import dev.superstep.problem.InvalidSettingException;
import dev.superstep.problem.Setting;
import dev.superstep.security.Grant.Limit;
import dev.superstep.tenant.Tenant;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;

/// Whose tokens are taken beside API keys.
///
/// @param issuer as tokens have it in `iss`; empty: no tokens are taken
/// @param jwksUri where the issuer publishes its keys; empty: where its metadata says
/// @param audience what `aud` of a token must contain
/// @param scopesClaim names the claim that holds scopes: text with spaces, or a list
/// @param scopePrefix what stands before the name of a scope in that claim
/// @param rolesClaim names the claim that holds roles: text with spaces, or a list; dots lead into
///   objects; empty: tokens have no roles
/// @param groups the roles that values of that claim give; empty: values are names of roles behind
///   the prefix
/// @param tenant whose its bearers are
/// @param algorithms with which tokens may be signed; symmetric ones do not exist here
/// @param clockSkew by which the clocks of issuer and server may differ
@ConfigurationProperties("superstep.auth.jwt")
record JwtSettings(
    @DefaultValue("") String issuer,
    @DefaultValue("") String jwksUri,
    @DefaultValue("") String audience,
    @DefaultValue("scope") String scopesClaim,
    @DefaultValue("") String scopePrefix,
    @DefaultValue("") String rolesClaim,
    @DefaultValue List<GroupRoles> groups,
    @DefaultValue TenantOfTokens tenant,
    @DefaultValue("RS256") List<SignatureAlgorithm> algorithms,
    @DefaultValue("30s") Duration clockSkew) {
  JwtSettings {
    algorithms = List.copyOf(algorithms);
    groups = List.copyOf(groups);
  }

  /// Whose bearers of tokens are; if nothing says it, the default tenant's.
  ///
  /// @param name of all of them
  /// @param claim names the claim that holds it, dots lead into objects; a token without it is
  ///   refused
  record TenantOfTokens(@DefaultValue("") String name, @DefaultValue("") String claim) {
    static final TenantOfTokens DEFAULT = new TenantOfTokens("", "");

    private void check(String prefix) {
      if (!name.isEmpty() && !Tenant.isName(name)) {
        throw new Setting(prefix + ".tenant.name").invalid(Tenant.NAME_FORM);
      }
      if (!name.isEmpty() && !claim.isEmpty()) {
        throw new Setting(prefix + ".tenant").invalid("has a name or a claim, not both");
      }
    }
  }

  /// @param name a value of the claim
  /// @param graphs patterns of names of graphs for which the roles are; empty: all of the tenant
  /// @param ownOnly whether of their runs and threads they are for the bearer's own only
  /// @param taskTypes patterns of the types of tasks that the bearer may execute; empty: all
  record GroupRoles(
      @DefaultValue("") String name,
      @DefaultValue List<Role> roles,
      @DefaultValue List<String> graphs,
      @DefaultValue("false") boolean ownOnly,
      @DefaultValue List<String> taskTypes) {
    GroupRoles {
      roles = List.copyOf(roles);
      graphs = List.copyOf(graphs);
      taskTypes = List.copyOf(taskTypes);
    }

    Grant grant() {
      return new Grant(Set.copyOf(roles), Set.of(), new Limit(graphs, ownOnly, taskTypes));
    }

    private void check(String prefix) {
      check(prefix + ".graphs", graphs, Limit::refusal);
      check(prefix + ".task-types", taskTypes, Limit::refusalOfTypes);
      if (!taskTypes.isEmpty() && !grant().all().contains(ApiScope.WORK)) {
        throw new Setting(prefix + ".task-types")
            .invalid("limit the role 'worker', which is not there");
      }
      for (var role : roles) {
        var refused = grant().limit().refused(role.scopes());
        if (!refused.isEmpty()) {
          throw new Setting(
                  prefix + (ownOnly ? ".own-only" : graphs.isEmpty() ? ".task-types" : ".graphs"))
              .invalid("cannot limit the role '%s'".formatted(role.text()));
        }
      }
    }

    private static void check(
        String property, List<String> patterns, Function<String, Optional<String>> refusal) {
      patterns.stream()
          .flatMap(it -> refusal.apply(it).stream())
          .findFirst()
          .ifPresent(it -> {
            throw new Setting(property).invalid(it);
          });
    }
  }

  /// @param prefix of the properties
  /// @throws InvalidSettingException if tokens for others could be taken, or none at all
  JwtSettings checked(String prefix) {
    new Setting(prefix + ".clock-skew").within(Duration.ZERO, Duration.ofMinutes(5), clockSkew);
    if (issuer.isBlank()) {
      throw new Setting(prefix + ".issuer").invalid("is missing");
    }
    if (!rolesClaim.isEmpty() && groups.isEmpty() && scopePrefix.isEmpty()) {
      throw new Setting(prefix + ".scope-prefix")
          .invalid(
              "is missing: without it, and without groups, a role of any other meaning that is"
                  + " called 'admin' would be one here");
    }
    tenant.check(prefix);
    for (int i = 0; i < groups.size(); i++) {
      groups.get(i).check("%s.groups[%d]".formatted(prefix, i));
    }
    checkAddresses(prefix);
    if (audience.isBlank()) {
      throw new Setting(prefix + ".audience")
          .invalid("is missing: tokens for other services must not be taken");
    }
    if (algorithms.isEmpty()) {
      throw new Setting(prefix + ".algorithms").invalid("must name at least one algorithm");
    }
    return this;
  }

  private void checkAddresses(String prefix) {
    if (jwksUri.isEmpty() && !isHttp(issuer)) {
      throw new Setting(prefix + ".jwks-uri")
          .invalid("is missing: the issuer is no http(s) address that has metadata");
    }
    if (!jwksUri.isEmpty() && !isHttp(jwksUri)) {
      throw new Setting(prefix + ".jwks-uri")
          .invalid("must be the http(s) address of the issuer's keys");
    }
  }

  /// Whether tokens may be of other tenants than the default one.
  boolean hasTenants() {
    return !tenant.equals(TenantOfTokens.DEFAULT);
  }

  boolean isOff() {
    return issuer.isEmpty();
  }

  /// Whether the address of the keys is read from the issuer's metadata.
  boolean isDiscovered() {
    return jwksUri.isEmpty();
  }

  private static boolean isHttp(String address) {
    try {
      var uri = URI.create(address);
      return uri.getHost() != null && List.of("http", "https").contains(uri.getScheme());
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
