package dev.superstep.state;

import dev.superstep.state.value.CanonicalWriter;
import dev.superstep.state.value.Hash;
import dev.superstep.state.value.Hasher;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HexFormat;

/// The hash of a state (E46): SHA-256 over its channels in key order, each as its quoted name and
/// the hash of its value; a list's hash is a chain over its items, so that appending costs O(item).
/// It depends on content only, never on how a value came about. Lists and objects remember theirs.
public final class StateHash {
  private StateHash() {}

  /// Lower-case hexadecimal, 64 characters.
  public static String of(GraphState state) {
    return hash(state.channels());
  }

  /// The same with pseudo-channels, such as the parts of the prompt context, taken in like
  /// channels. Their names start with `__`, which no channel's does. Without any it is the hash of
  /// the state.
  public static String of(GraphState state, ObjectValue pseudoChannels) {
    return hash(state.channels().plusAll(pseudoChannels));
  }

  /// The hash of one value by the same rules.
  public static String of(Value value) {
    return HexFormat.of().formatHex(new Hasher().hash(value, 0));
  }

  private static String hash(ObjectValue channels) {
    var hasher = new Hasher();
    var writer = new CanonicalWriter(64);
    channels.forEach((channel, value) -> {
      writer.quoted(channel);
      writer.raw(hasher.hash(value, 0));
    });
    return HexFormat.of().formatHex(Hash.sha256().digest(writer.toBytes()));
  }
}
