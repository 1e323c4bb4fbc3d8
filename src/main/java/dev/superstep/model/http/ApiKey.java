package dev.superstep.model.http;

import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import java.util.Optional;

/// The API key of a model, which is looked up for each call.
public record ApiKey(Optional<SecretReference> reference, Secrets secrets) {

  /// @throws dev.superstep.secret.MissingSecretException if there is none where it should be
  public Optional<String> now() {
    return reference.map(secrets::resolve);
  }

  /// A provider's text with the key removed.
  public String scrub(String text) {
    return now().map(it -> text.replace(it, "***")).orElse(text);
  }
}
