package dev.superstep.secret;

import dev.superstep.tenant.Tenant;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.springframework.stereotype.Component;

/// The secrets that the operator lets authors of graphs use: by name, in headers, for the servers
/// they are meant for. An author can use a secret, but never have it sent anywhere else.
@Component
public final class ReleasedSecrets {
  /// The code of secrets that a graph may not use.
  public static final String NOT_ALLOWED = "secret_not_allowed";

  private final SecretSettings settings;

  ReleasedSecrets(SecretSettings settings) {
    this.settings = settings;
  }

  /// Of a server without any.
  public static ReleasedSecrets none() {
    return new ReleasedSecrets(new SecretSettings(Map.of()));
  }

  /// Why no graph may use a secret; empty if some may.
  public Optional<String> refusal(SecretUse use) {
    return settings.secrets().containsKey(use.name())
        ? Optional.empty()
        : Optional.of(
            "this server has no secret '%s' for graphs; it has %s"
                .formatted(use.name(), new TreeSet<>(settings.secrets().keySet())));
  }

  /// Why no graph of this name may use a secret that there is; empty if one may.
  public Optional<String> refusal(SecretUse use, String graph) {
    var secret = settings.secrets().get(use.name());
    return secret == null || secret.allowed().mayPermit(graph)
        ? Optional.empty()
        : Optional.of(notAllowed(use, graph));
  }

  private static String notAllowed(SecretUse use, String graph) {
    return "graph '%s' may not use the secret '%s': the operator of this server allows it to others"
        .formatted(graph, use.name());
  }

  /// The secret with which a sender signs what it sends to a graph; it is not sent anywhere.
  ///
  /// @param graph as rows have it
  /// @throws MissingSecretException if there is none, or it is not for that graph
  public String signing(SecretUse use, String graph, SecretsOfCall read) {
    var secret = settings.secrets().get(use.name());
    if (secret == null) {
      throw new MissingSecretException(refusal(use).orElse(""));
    }
    if (!secret.allowed().permits(graph)) {
      throw new MissingSecretException(notAllowed(use, Tenant.shown(graph)));
    }
    return read.resolve(SecretReference.parse(secret.reference()).orElseThrow());
  }

  /// The value of the header.
  ///
  /// @param graph that sends it, as rows have it
  /// @param url that is called
  /// @throws MissingSecretException if there is none, or it is not for that graph or server
  public String value(SecretUse use, String graph, URI url, SecretsOfCall sent) {
    var secret = settings.secrets().get(use.name());
    if (secret == null) {
      throw new MissingSecretException(refusal(use).orElse(""));
    }
    if (!secret.allowed().permits(graph)) {
      throw new MissingSecretException(notAllowed(use, Tenant.shown(graph)));
    }
    if (secret.hosts().stream().noneMatch(it -> Server.parse(it).is(url))) {
      throw new MissingSecretException(
          "secret '%s' may not be sent to %s://%s; superstep.secrets.%1$s.hosts says where it may"
              .formatted(use.name(), url.getScheme(), url.getAuthority()));
    }
    var reference = SecretReference.parse(secret.reference()).orElseThrow();
    return use.scheme() + sent.resolve(reference);
  }
}
