package dev.superstep.run.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The secret of a webhook, as the receiver knows it (Standard Webhooks). What is stored is a
/// random number: with a key of the server, which the database does not have, it makes the secret.
final class WebhookSecret {
  private static final String PREFIX = "whsec_";
  private static final int SEED_BYTES = 32;
  private static final int DIGEST_BYTES = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] secret;

  private WebhookSecret(byte[] secret) {
    this.secret = secret;
  }

  /// A secret, and what is stored of it: whether there was a key, the random number, and the
  /// beginning of a hash of the secret.
  record MadeSecret(WebhookSecret secret, byte[] stored) {
    @Override
    public String toString() {
      return "***";
    }
  }

  /// @param key of the server; empty: it has none
  static MadeSecret make(Optional<String> key) {
    var stored = new byte[1 + SEED_BYTES + DIGEST_BYTES];
    var seed = new byte[SEED_BYTES];
    RANDOM.nextBytes(seed);
    var secret = derive(key, seed);
    stored[0] = (byte) (key.isPresent() ? 1 : 0);
    System.arraycopy(seed, 0, stored, 1, SEED_BYTES);
    System.arraycopy(digest(secret), 0, stored, 1 + SEED_BYTES, DIGEST_BYTES);
    return new MadeSecret(new WebhookSecret(secret), stored);
  }

  /// @return empty if it was made with another key
  static Optional<WebhookSecret> read(Optional<String> key, byte[] stored) {
    var seed = Arrays.copyOfRange(stored, 1, 1 + SEED_BYTES);
    var secret = derive(stored[0] == 1 ? key.or(() -> Optional.of("")) : Optional.empty(), seed);
    var digest = Arrays.copyOfRange(stored, 1 + SEED_BYTES, stored.length);
    return MessageDigest.isEqual(digest, Arrays.copyOf(digest(secret), DIGEST_BYTES))
        ? Optional.of(new WebhookSecret(secret))
        : Optional.empty();
  }

  private static byte[] derive(Optional<String> key, byte[] seed) {
    return key.filter(it -> !it.isEmpty())
        .map(it -> hmac(it.getBytes(StandardCharsets.UTF_8), seed))
        .orElse(seed);
  }

  /// As it is shown, once.
  String text() {
    return PREFIX + Base64.getEncoder().encodeToString(secret);
  }

  /// `v1,<signature>` of a body.
  String sign(String id, long timestamp, byte[] body) {
    var head = "%s.%d.".formatted(id, timestamp).getBytes(StandardCharsets.UTF_8);
    var signed = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, signed, head.length, body.length);
    return "v1," + Base64.getEncoder().encodeToString(hmac(secret, signed));
  }

  private static byte[] hmac(byte[] key, byte[] text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HMAC-SHA256", e);
    }
  }

  private static byte[] digest(byte[] secret) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "***";
  }
}
