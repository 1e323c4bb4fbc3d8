package dev.superstep.secret;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.springframework.stereotype.Component;

/// The secrets that the operator lets authors of graphs use: by name, in headers, for the servers
/// they are meant for. An author can use a secret, but never have it sent anywhere else.
@Component
public final class ReleasedSecrets {
  private final SecretSettings settings;

  ReleasedSecrets(SecretSettings settings) {
    this.settings = settings;
  }

  /// Of a server without any.
  public static ReleasedSecrets none() {
    return new ReleasedSecrets(new SecretSettings(Map.of()));
  }

  /// Why a graph may not use a secret; empty if it may.
  public Optional<String> refusal(SecretUse use) {
    return settings.secrets().containsKey(use.name())
        ? Optional.empty()
        : Optional.of(
            "this server has no secret '%s' for graphs; it has %s"
                .formatted(use.name(), new TreeSet<>(settings.secrets().keySet())));
  }

  /// The value of the header.
  ///
  /// @param url that is called
  /// @throws MissingSecretException if there is none, or it is not for that server
  public String value(SecretUse use, URI url, SecretsOfCall sent) {
    var secret = settings.secrets().get(use.name());
    if (secret == null) {
      throw new MissingSecretException(refusal(use).orElse(""));
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
