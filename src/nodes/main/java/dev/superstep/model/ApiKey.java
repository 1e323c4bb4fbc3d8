package dev.superstep.model;

import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// The API key of a model, which is looked up for each call.
final class ApiKey {
  /// One that is replaced may still be in calls that are under way.
  private static final int SENT_MAX = 4;

  private final Optional<SecretReference> reference;
  private final Secrets secrets;

  /// What has been sent, the newest first.
  private final Deque<String> sent = new ArrayDeque<>();

  public ApiKey(Optional<SecretReference> reference, Secrets secrets) {
    this.reference = reference;
    this.secrets = secrets;
  }

  /// @throws dev.superstep.secret.MissingSecretException if there is none where it should be
  public Optional<String> now() {
    var key = reference.map(secrets::resolve);
    key.ifPresent(this::remember);
    return key;
  }

  /// @param key that is sent, also one that was given for a while
  synchronized void remember(String key) {
    if (!key.isEmpty() && !key.equals(sent.peekFirst())) {
      sent.remove(key);
      sent.addFirst(key);
      if (sent.size() > SENT_MAX) {
        sent.removeLast();
      }
    }
  }

  /// A provider's text without the keys that it was sent, which may be others than the one there is
  /// by now.
  public synchronized String scrub(String text) {
    var clean = text;
    for (var key : sent) {
      clean = clean.replace(key, "***");
    }
    return clean;
  }
}
