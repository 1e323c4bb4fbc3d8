package dev.superstep.node.spec;

import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The table ChannelDefinition of the language.
public interface ChannelSpec {
  /// Nothing may ever shrink or replace it
  ChannelSpec appendOnly(boolean value);

  /// When and how the channel is shortened
  ChannelSpec compaction(Consumer<CompactionSpec> author);

  /// Value at superstep 0
  @Key("default")
  ChannelSpec defaultValue(@Nullable Object value);

  /// CEL over left and right, for reducer expression
  ChannelSpec expression(String value);

  /// Registered merge function, for reducer function
  ChannelSpec function(String value);

  /// Append-only channel that keeps all messages
  ChannelSpec mirrorTo(String value);

  /// What several writes in one superstep mean, for reducer last_value: last, error
  ChannelSpec onConflict(String value);

  /// How the channel takes updates: last_value, first_value, append, block_append, messages, merge,
  /// deep_merge, sum, increment, min, max, union, expression, function
  ChannelSpec reducer(String value);

  /// JSON Schema of every value
  ChannelSpec schema(Map<String, ?> value);

  /// Whether the next run of a thread goes on from the value, or starts from the default; thread,
  /// and run for the fields of one task of an agent: iteration, finish_reason, scratchpad,
  /// validated_content: thread, run
  ChannelSpec scope(String value);
}
