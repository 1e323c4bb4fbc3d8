package dev.superstep.checkpoint.work;

import dev.superstep.tenant.Tenant;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// What answers a callback: which one, and the right to. Rows have a digest of its secret.
///
/// @param id as rows have it
public record CallbackToken(String id, String secret) {
  private static final Pattern FORM =
      Pattern.compile("(?:([a-z0-9][a-z0-9-]{0,62})\\.)?([0-9a-f]{32})\\.([0-9a-f]{32})");

  /// @param text as [dev.superstep.engine.run.OpenCallback] has it
  /// @return empty if no token is written so
  public static Optional<CallbackToken> parse(String text) {
    var matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var name = matcher.group(1);
    var tenant = name == null ? Tenant.DEFAULT : new Tenant(name);
    return Optional.of(new CallbackToken(tenant.own(matcher.group(2)), matcher.group(3)));
  }

  /// Whose callback it is.
  public Tenant tenant() {
    return Tenant.of(id);
  }

  /// Whether the row with this digest is its callback's. How long that takes says nothing.
  boolean opens(UUID digest) {
    return MessageDigest.isEqual(bytes(digest(secret)), bytes(digest));
  }

  private static byte[] bytes(UUID digest) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(digest.getMostSignificantBits())
        .putLong(digest.getLeastSignificantBits())
        .array();
  }

  /// 128 bits of SHA-256.
  static UUID digest(String secret) {
    try {
      var hash =
          MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
      var bytes = ByteBuffer.wrap(hash);
      return new UUID(bytes.getLong(), bytes.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
