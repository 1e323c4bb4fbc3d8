package dev.superstep.node.spec;

/// The table ContextHistory of the language.
public interface ContextHistorySpec {
  /// Entries that a run keeps
  ContextHistorySpec keepLast(long value);

  /// What they may be together, as JSON
  ContextHistorySpec maxBytes(String value);

  /// true: all entries are kept, up to the size of the state
  ContextHistorySpec unbounded(boolean value);
}
