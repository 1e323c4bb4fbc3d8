package dev.superstep.secret;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The secrets that one call sends. They are removed from its answer, in case the callee echoes
/// them: an answer may become state.
public final class SecretsOfCall {
  private static final String INSTEAD = "***";
  private final Secrets secrets;
  private final List<String> sent = new CopyOnWriteArrayList<>();

  SecretsOfCall(Secrets secrets) {
    this.secrets = secrets;
  }

  /// @throws MissingSecretException if the secret is not where its reference points
  public String resolve(SecretReference reference) {
    var secret = secrets.resolve(reference);
    sent.add(secret);
    return secret;
  }

  /// Resolves a configured text: the secret, if it is a reference, else the text itself.
  public String value(String configured) {
    return SecretReference.parse(configured).map(this::resolve).orElse(configured);
  }

  /// Has a secret that is kept elsewhere removed from the answer, too.
  ///
  /// @return the secret
  public String sends(String secret) {
    sent.add(secret);
    return secret;
  }

  public boolean isNone() {
    return sent.isEmpty();
  }

  /// A text that the callee wrote, without what was sent to it.
  public String scrub(String text) {
    var clean = text;
    for (var secret : sent) {
      clean = clean.replace(secret, INSTEAD);
    }
    return clean;
  }
}
