package dev.superstep.apikey;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/// A key as its bearer sends it: a public id, by which it is found, and 256 random bits. That many
/// cannot be guessed, so that a plain digest is enough.
///
/// @param id is no secret
/// @param text the whole key
record KeySecret(String id, String text) {
  private static final Pattern FORM = Pattern.compile("superstep_([0-9a-f]{16})_[A-Za-z0-9_-]{43}");
  private static final int ID_BYTES = 8;
  private static final int SECRET_BYTES = 32;

  static KeySecret random(SecureRandom random) {
    var id = new byte[ID_BYTES];
    var secret = new byte[SECRET_BYTES];
    random.nextBytes(id);
    random.nextBytes(secret);
    var name = HexFormat.of().formatHex(id);
    var text = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    return new KeySecret(name, "superstep_" + name + "_" + text);
  }

  /// Nothing, if it does not look like a key that this class made.
  static Optional<KeySecret> read(String text) {
    var found = FORM.matcher(text);
    return found.matches() ? Optional.of(new KeySecret(found.group(1), text)) : Optional.empty();
  }

  byte[] digest() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The time of the comparison reveals nothing about the secret.
  boolean has(byte[] digest) {
    return MessageDigest.isEqual(digest, digest());
  }

  @Override
  public String toString() {
    return "superstep_" + id + "_…";
  }
}
