package dev.superstep.langgraph;

import dev.superstep.tenant.Tenant;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/// Ids of the assistants that graphs have by themselves: UUIDs of version 5 (RFC 9562) of their
/// names, as clients know these, as the LangGraph Agent Server derives them.
public final class AssistantIds {
  private static final UUID NAMESPACE = UUID.fromString("6ba7b821-9dad-11d1-80b4-00c04fd430c8");

  private AssistantIds() {}

  public static String ofGraph(String graph) {
    var name = Tenant.shown(graph).getBytes(StandardCharsets.UTF_8);
    var bytes =
        ByteBuffer.allocate(2 * Long.BYTES + name.length)
            .putLong(NAMESPACE.getMostSignificantBits())
            .putLong(NAMESPACE.getLeastSignificantBits())
            .put(name)
            .array();
    var hash = ByteBuffer.wrap(sha1(bytes));
    long high = (hash.getLong() & ~0xF000L) | 5L << 12;
    long low = (hash.getLong() & ~(3L << 62)) | 1L << 63;
    return Tenant.of(graph).own(new UUID(high, low).toString());
  }

  private static byte[] sha1(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
