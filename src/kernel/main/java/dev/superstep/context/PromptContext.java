package dev.superstep.context;

import dev.superstep.state.StateHash;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Identity;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.function.Predicate;

/// What a model gets besides the messages (P1). Immutable.
///
/// @param variables dotted key → value
/// @param history entries as objects `{id, node_id, prompt, response, superstep, dispatch_id?,
///   metadata}`, oldest first, without their time
/// @param times the time of each history entry, RFC 3339, in the same order; outside the state hash
/// @param metadata dotted key → value
public record PromptContext(
    String template,
    ObjectValue variables,
    ListValue history,
    ListValue times,
    ObjectValue metadata) {

  /// The metadata that counts the history entries which are no longer kept.
  public static final String HISTORY_DROPPED = "history_dropped";

  public static final PromptContext EMPTY =
      new PromptContext(
          "", ObjectValue.empty(), ListValue.empty(), ListValue.empty(), ObjectValue.empty());

  /// This context with `added` variables on top of its own; the later one of a key wins (P3).
  public PromptContext plusVariables(ObjectValue added) {
    return added.isEmpty()
        ? this
        : new PromptContext(template, variables.plusAll(added), history, times, metadata);
  }

  /// This context with `added` metadata on top of its own.
  public PromptContext plusMetadata(ObjectValue added) {
    return new PromptContext(template, variables, history, times, metadata.plusAll(added));
  }

  /// This context with those of its history entries that `kept` accepts.
  public PromptContext keepingEntries(Predicate<Value> kept) {
    return with(variables, metadata, new Entries(history, times).keep(kept));
  }

  /// This context with a history entry (P2).
  ///
  /// @param at RFC 3339
  public PromptContext plusEntry(ObjectValue entry, String at) {
    return new PromptContext(
        template, variables, history.plus(entry), times.plus(Value.of(at)), metadata);
  }

  /// This context without its first `count` history entries, which its metadata counts (C27).
  public PromptContext withoutOldest(int count) {
    if (count == 0) {
      return this;
    }
    long before = metadata.findWhole(HISTORY_DROPPED).orElse(0L);
    return new PromptContext(
        template,
        variables,
        history.slice(count, history.size()),
        times.slice(Math.min(count, times.size()), times.size()),
        metadata.plus(HISTORY_DROPPED, before + count));
  }

  /// This context with the time of all entries from index `from` on set to `at`.
  public PromptContext retimed(int from, String at) {
    var retimed = times;
    for (int i = from; i < times.size(); i++) {
      retimed = retimed.with(i, Value.of(at));
    }
    return new PromptContext(template, variables, history, retimed, metadata);
  }

  /// This context with other parts; the same instance where they are the same.
  public PromptContext with(
      ObjectValue otherVariables, ObjectValue otherMetadata, Entries entries) {
    return sameParts(otherVariables, otherMetadata, entries)
        ? this
        : new PromptContext(
            template, otherVariables, entries.history(), entries.times(), otherMetadata);
  }

  private boolean sameParts(ObjectValue keys, ObjectValue otherMetadata, Entries entries) {
    return Identity.same(keys, variables)
        && Identity.same(otherMetadata, metadata)
        && Identity.same(entries.history(), history)
        && Identity.same(entries.times(), times);
  }

  /// Canonical size, times left out. Costs O(what is new): its parts remember theirs.
  public long sizeBytes() {
    return template.length()
        + Canonical.size(variables)
        + Canonical.size(history)
        + Canonical.size(metadata);
  }

  /// The part of this context that the state hash covers: everything but times.
  public ObjectValue hashed() {
    return ObjectValue.of("template", template)
        .plus("variables", variables)
        .plus("history", history)
        .plus("metadata", metadata);
  }

  /// A hash of all its content, times included. Variables, metadata and history remember theirs,
  /// and contexts made from this one begin with them.
  public String contentHash() {
    return StateHash.of(hashed().plus("times", times));
  }
}
