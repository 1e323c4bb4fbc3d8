package dev.superstep.state;

import dev.superstep.state.value.Hash;
import dev.superstep.state.value.Identity;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// Gives messages their ids (E5). An id derives from a prefix and a position, so that a task that
/// is run again, or elsewhere, gives the same ones.
public final class MessageIds {
  private final String prefix;
  private int position;

  private MessageIds(String prefix, int from) {
    this.prefix = prefix;
    this.position = from;
  }

  /// The change with ids for those messages that it writes to `messages` channels without one:
  /// first those of `overwrite`, then those of `update`, channels as declared, then summaries,
  /// counted from `from`.
  ///
  /// @param prefix what is particular to the task: the run's ordinal, superstep, node, dispatch id
  /// @return `change` itself if nothing lacks an id
  public static Change identify(Change change, Channels channels, String prefix, int from) {
    if (channels.messages().isEmpty()) {
      return change;
    }
    var ids = new MessageIds(prefix, from);
    var overwrite = ids.identified(change.overwrite(), channels);
    var update = ids.identified(change.update(), channels);
    var listCompactions =
        change.cuts().isEmpty() ? change.cuts() : ids.identified(change.cuts(), channels);
    return Identity.same(overwrite, change.overwrite())
            && Identity.same(update, change.update())
            && Identity.same(listCompactions, change.cuts())
        ? change
        : new Change(change.remove(), change.removeMessages(), overwrite, update, listCompactions);
  }

  private List<ListCompaction> identified(List<ListCompaction> listCompactions, Channels channels) {
    return listCompactions.stream().map(it -> identified(it, channels)).toList();
  }

  private ListCompaction identified(ListCompaction listCompaction, Channels channels) {
    boolean lacksId =
        listCompaction.summary().isPresent() && !listCompaction.summary().get().has("id");
    return lacksId && channels.get(listCompaction.channel()).reducer() instanceof Reducer.Messages
        ? listCompaction.with(listCompaction.summary().get().plus("id", next()))
        : listCompaction;
  }

  /// A first value of a channel, with ids if it is one of messages.
  static Value identified(Value value, Channel channel, String prefix) {
    return channel.reducer() instanceof Reducer.Messages && value instanceof ListValue list
        ? new MessageIds(prefix + ' ' + channel.name(), 0).identified(list)
        : value;
  }

  private ObjectValue identified(ObjectValue values, Channels channels) {
    var result = values;
    if (!values.isEmpty()) {
      for (var channel : channels.messages()) {
        if (values.get(channel.name()) instanceof ListValue list) {
          result = result.plus(channel.name(), identified(list));
        }
      }
    }
    return result;
  }

  private ListValue identified(ListValue messages) {
    var result = messages;
    for (int i = 0; i < messages.size(); i++) {
      if (messages.get(i) instanceof ObjectValue message && !message.has("id")) {
        result = result.with(i, message.plus("id", next()));
      }
    }
    return result;
  }

  private String next() {
    var digest = Hash.sha256();
    digest.update(prefix.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(position++).array());
    return "m-" + HexFormat.of().formatHex(Arrays.copyOf(digest.digest(), 8));
  }
}
