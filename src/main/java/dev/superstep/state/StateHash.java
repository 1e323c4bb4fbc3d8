package dev.superstep.state;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The hash of a state (E46): SHA-256 over its channels in key order, each with the hash of its
/// value; a list's hash is a chain over its items, so that appending costs O(item).
public final class StateHash {
  private StateHash() {}

  /// Lower-case hexadecimal, 64 characters.
  public static String of(GraphState state) {
    var digest = sha256();
    state
        .channels()
        .forEach((channel, value) -> {
          digest.update(channel.getBytes(StandardCharsets.UTF_8));
          digest.update((byte) 0);
          digest.update(sha256().digest(Canonical.bytes(value)));
        });
    return HexFormat.of().formatHex(digest.digest());
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
