package dev.superstep.state.value;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// 32 immutable bytes of SHA-256. Its field is final, so threads may share it unlocked.
public final class Hash {
  private final byte[] bytes;

  /// @param bytes not changed from here on
  Hash(byte[] bytes) {
    this.bytes = bytes;
  }

  /// To read only.
  byte[] bytes() {
    return bytes;
  }

  /// A new digest, for one thread.
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
