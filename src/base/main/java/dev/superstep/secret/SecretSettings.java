package dev.superstep.secret;

import dev.superstep.problem.Setting;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The secrets that authors of graphs may use.
///
/// @param secrets name → secret
@ConfigurationProperties("superstep")
record SecretSettings(@DefaultValue Map<String, Released> secrets) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  SecretSettings {
    secrets = Map.copyOf(secrets);
    secrets.forEach((name, secret) -> {
      if (!NAME.matcher(name).matches()) {
        throw new Setting("superstep.secrets")
            .invalid("has a secret '%s', which is no name: %s".formatted(name, NAME.pattern()));
      }
      secret.check("superstep.secrets." + name);
    });
  }

  /// @param reference where it is kept, never the secret: `env:NAME`, `file:/path`, `property:name`
  /// @param hosts that it may be sent to, exactly as URLs name them: by HTTPS, unless `http://`
  ///   stands before it
  /// @param graphs patterns of the graphs that may use it; empty: all
  record Released(
      @DefaultValue("") String reference,
      @DefaultValue List<String> hosts,
      @DefaultValue List<String> graphs) {
    Released {
      hosts = List.copyOf(hosts);
      graphs = List.copyOf(graphs);
    }

    AllowedGraphs allowed() {
      return AllowedGraphs.of("superstep.secrets", graphs);
    }

    private void check(String property) {
      AllowedGraphs.of(property + ".graphs", graphs);
      if (SecretReference.parse(reference).isEmpty()) {
        throw new Setting(property + ".reference").invalid(SecretReference.FORMS);
      }
      if (hosts.isEmpty()) {
        throw new Setting(property + ".hosts").invalid("must name the hosts that may be sent it");
      }
      hosts.stream()
          .filter(it -> !Server.isValid(it))
          .findFirst()
          .ifPresent(it -> {
            throw new Setting(property + ".hosts")
                .invalid("has '%s': %s".formatted(it, Server.FORMS));
          });
    }
  }
}
