package dev.superstep.state.value;

import java.security.DigestException;
import java.security.MessageDigest;

/// Hashes values for one [StateHash]. Not shared between threads.
///
/// A scalar's hash is SHA-256 of its canonical form. A list's is a chain: it starts at SHA-256 of
/// `[]`, and each item makes SHA-256(hash ‖ canonical item) of it. An object's is SHA-256 over `{`
/// and its members in order: the quoted key, then `:` and the canonical form of a scalar, or `[` or
/// `{` and the hash of a list or object, so that what has not changed is not hashed again.
public final class Hasher {
  /// Links between two yields; each takes a fraction of a microsecond.
  private static final int YIELD_EVERY = 1 << 12;

  private static final byte[] NO_ITEMS = Hash.sha256().digest(new byte[] {'[', ']'});
  private final MessageDigest digest = Hash.sha256();
  private final CanonicalWriter writer = new CanonicalWriter(256);

  public byte[] hash(Value value, int depth) {
    return switch (value) {
      case ListValue list -> chain(list);
      case ObjectValue object -> members(object, depth);
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ -> {
        writer.clear();
        writer.value(value, depth);
        digest.update(writer.buffer(), 0, writer.length());
        yield digest.digest();
      }
    };
  }

  private byte[] chain(ListValue list) {
    int count = list.size();
    var known = list.chain();
    if (known != null && known.count() == count) {
      return known.hash().bytes();
    }
    int from = known == null ? 0 : known.count();
    var hash = known == null ? NO_ITEMS.clone() : known.hash().bytes().clone();
    var mark = HashChain.markOf(known);
    for (int i = from; i < count; i++) {
      link(hash, list.get(i));
      yieldBehind(i);
      if (i + 1 - (mark == null ? 0 : mark.count()) >= HashChain.SPACING) {
        mark = new HashChain(i + 1, new Hash(hash.clone()), mark);
      }
    }
    var shorter = mark != null && mark.count() == count ? mark.mark() : mark;
    list.remember(new HashChain(count, new Hash(hash), shorter));
    return hash;
  }

  private static void yieldBehind(int item) {
    if ((item + 1) % YIELD_EVERY == 0) {
      CarrierYield.now();
    }
  }

  /// Replaces `hash` by SHA-256(hash ‖ canonical item).
  private void link(byte[] hash, Value item) {
    writer.clear();
    writer.value(item, 1);
    digest.update(hash);
    digest.update(writer.buffer(), 0, writer.length());
    try {
      digest.digest(hash, 0, hash.length);
    } catch (DigestException e) {
      throw new IllegalStateException("SHA-256 has 32 bytes", e);
    }
  }

  private byte[] members(ObjectValue object, int depth) {
    var known = object.hash();
    if (known != null) {
      return known.bytes();
    }
    Canonical.requireDepth(depth);
    var writer = new CanonicalWriter(64);
    writer.ascii('{');
    object.forEach((key, value) -> member(key, value, depth + 1, writer));
    var hash = digest.digest(writer.toBytes());
    object.remember(new Hash(hash));
    return hash;
  }

  private void member(String key, Value value, int depth, CanonicalWriter writer) {
    writer.quoted(key);
    switch (value) {
      case ListValue list -> {
        writer.ascii('[');
        writer.raw(chain(list));
      }
      case ObjectValue object -> {
        writer.ascii('{');
        writer.raw(members(object, depth));
      }
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ -> {
        writer.ascii(':');
        writer.value(value, depth);
        writer.ascii(',');
      }
    }
  }
}
