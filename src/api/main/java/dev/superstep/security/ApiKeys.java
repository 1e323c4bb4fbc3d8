package dev.superstep.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Checks API keys, of which only digests are kept.
final class ApiKeys {

  private static final int NAME_BYTES = 8;

  private final List<byte[]> digests;

  ApiKeys(List<String> keys) {
    this.digests = keys.stream().map(ApiKeys::digest).toList();
  }

  boolean isEmpty() {
    return digests.isEmpty();
  }

  /// The name of this key's bearer, if the key is known: a digest, so that it can be logged and
  /// stored. The time of the comparison reveals nothing about the keys.
  Optional<String> bearer(String key) {
    byte[] presented = digest(key);
    boolean known = false;
    for (byte[] digest : digests) {
      known |= MessageDigest.isEqual(digest, presented);
    }
    return known ? Optional.of(name(presented)) : Optional.empty();
  }

  /// Whether a bearer has this name.
  boolean hasBearer(String name) {
    return digests.stream().map(ApiKeys::name).anyMatch(name::equals);
  }

  private static String name(byte... digest) {
    return HexFormat.of().formatHex(Arrays.copyOf(digest, NAME_BYTES));
  }

  private static byte[] digest(String key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
