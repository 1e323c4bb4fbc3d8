package dev.superstep.state;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Objects;

/// Checks what a change may do and what its values must satisfy.
final class FoldChecks {
  private static final int NAME_CHARS = 64;

  private FoldChecks() {}

  static void requireAdmitted(Channels channels, Channel channel) {
    var name = channel.name();
    if (channels.has(name)) {
      if (channels.isMirror(name)) {
        refuse(
            "mirror_target",
            name,
            "channel '%s' keeps what another channel receives and cannot be written directly"
                .formatted(name));
      }
    } else if (name.startsWith("__")) {
      refuse("reserved_channel", name, "names starting with __ are reserved: '" + name + "'");
    } else if (channels.strict()) {
      refuse(
          "undeclared_channel",
          name,
          "the graph is strict about channels and declares no '%s'".formatted(name));
    }
  }

  /// The name of an undeclared channel: those of declared ones have been checked with the
  /// definition.
  static void requireNamed(Channels channels, String name) {
    if (!channels.has(name) && !isName(name)) {
      refuse(
          "invalid_channel_name",
          name,
          "'%s' names no channel: a letter or '_', then up to %d letters, digits or '_' (ASCII)"
              .formatted(shown(name), NAME_CHARS - 1));
    }
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= NAME_CHARS
        && (name.charAt(0) < '0' || name.charAt(0) > '9')
        && name.chars().allMatch(FoldChecks::isNameChar);
  }

  private static boolean isNameChar(int c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private static String shown(String name) {
    return name.length() <= NAME_CHARS ? name : name.substring(0, NAME_CHARS) + "…";
  }

  /// E21
  static void requireShrinkable(Channel channel, String participle) {
    if (channel.appendOnly()) {
      refuse(
          "append_only",
          channel.name(),
          "channel '%s' is append-only and cannot be %s".formatted(channel.name(), participle));
    }
  }

  /// Checks what a compaction puts into the channel.
  static void requireValid(Channel channel, ListCompaction listCompaction) {
    listCompaction.summary().ifPresent(it -> requireValid(channel, ListValue.of(it)));
  }

  static void refuseUnknown(String message) {
    refuse("reducer_failed", "", "no channel has a message '%s'".formatted(message));
  }

  static void refuseConflict(Channel channel) {
    refuse(
        "channel_conflict",
        channel.name(),
        "another task of this superstep has written channel '%s'".formatted(channel.name()));
  }

  static Fold.Problem failed(Channel channel, RuntimeException e) {
    return new Fold.Problem(
        "reducer_failed",
        channel.name(),
        e instanceof ReduceException reduce ? reduce.pointer() : "",
        Objects.requireNonNullElse(e.getMessage(), "the reducer failed"));
  }

  static void requireValid(Channel channel, Value value) {
    if (!channel.check().equals(ValueCheck.NONE)) {
      refuseFirst(channel, violations(channel, value), "");
    }
  }

  /// Checks what the channel has become; for channels that take blocks, the block alone, as an
  /// array: checking 100,000 items for each one that comes would make the fold quadratic.
  static void requireValidUpdate(ChannelFold channelFold, Value update) {
    var channel = channelFold.channel();
    if (channel.check().equals(ValueCheck.NONE)) {
      return;
    }
    if (!takesBlocks(channel.reducer())) {
      var value = channelFold.value();
      requireValid(channel, value == null ? update : value);
    } else if (update instanceof ListValue) {
      requireValid(channel, update);
    } else {
      refuseFirst(channel, violations(channel, ListValue.of(update)), "/0");
    }
  }

  private static boolean takesBlocks(Reducer reducer) {
    return reducer instanceof Reducer.Append
        || reducer instanceof Reducer.BlockAppend
        || reducer instanceof Reducer.Messages
        || reducer instanceof Reducer.Union;
  }

  private static List<ValueCheck.Mismatch> violations(Channel channel, Value value) {
    try {
      return channel.check().check(value);
    } catch (RuntimeException e) {
      return List.of(new ValueCheck.Mismatch("", "the schema could not be applied: " + e));
    }
  }

  private static void refuseFirst(
      Channel channel, List<ValueCheck.Mismatch> violations, String prefix) {
    if (!violations.isEmpty()) {
      var first = violations.getFirst();
      var pointer = first.pointer();
      throw new Refusal(
          new Fold.Problem(
              "schema_violation",
              channel.name(),
              pointer.startsWith(prefix) ? pointer.substring(prefix.length()) : pointer,
              violations.size() == 1
                  ? first.message()
                  : "%s (and %d more)".formatted(first.message(), violations.size() - 1)));
    }
  }

  private static void refuse(String code, String channel, String message) {
    throw new Refusal(new Fold.Problem(code, channel, "", message));
  }
}
