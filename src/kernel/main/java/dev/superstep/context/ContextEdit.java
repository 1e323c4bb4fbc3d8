package dev.superstep.context;

import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A person's edit of a run's prompt context (E42). Removals act first, then values are set.
///
/// @param template replaces the template
/// @param history what is removed from the history
public record ContextEdit(
    Optional<String> template, Keys variables, Keys metadata, HistoryCut history) {
  public static final ContextEdit NONE =
      new ContextEdit(Optional.empty(), Keys.NONE, Keys.NONE, HistoryCut.NONE);

  /// @param remove patterns of keys to remove
  /// @param set dotted key → value
  public record Keys(List<Glob> remove, ObjectValue set) {
    public static final Keys NONE = new Keys(List.of(), ObjectValue.empty());

    public Keys {
      remove = List.copyOf(remove);
    }

    private ObjectValue over(ObjectValue keys) {
      var left = keys;
      if (!remove.isEmpty()) {
        for (var key : keys.asMap().keySet()) {
          if (remove.stream().anyMatch(it -> it.matches(key))) {
            left = left.minus(key);
          }
        }
      }
      return left.plusAll(set);
    }
  }

  /// @param remove ids of entries
  /// @param keepLast how many of the remaining entries stay, the newest ones
  public record HistoryCut(Set<String> remove, int keepLast) {
    public static final HistoryCut NONE = new HistoryCut(Set.of(), Integer.MAX_VALUE);

    public HistoryCut {
      remove = Set.copyOf(remove);
    }
  }

  public boolean isEmpty() {
    return equals(NONE);
  }

  /// An id that is to be removed and that no entry has.
  public Optional<String> unknownEntry(PromptContext context) {
    return history.remove().stream()
        .sorted()
        .filter(id -> context.history().stream().noneMatch(entry -> Entries.id(entry).equals(id)))
        .findFirst();
  }

  public PromptContext apply(PromptContext context) {
    if (isEmpty()) {
      return context;
    }
    var changed =
        new PromptContext(
            template.orElse(context.template()),
            variables.over(context.variables()),
            context.history(),
            context.times(),
            metadata.over(context.metadata()));
    var left =
        history.remove().isEmpty()
            ? changed
            : changed.keepingEntries(it -> !history.remove().contains(Entries.id(it)));
    return new HistoryLimit(history.keepLast(), Long.MAX_VALUE).bound(left);
  }
}
