package dev.superstep.node.spec;

import java.util.Map;

/// The table StartingEventDefinition of the language.
public interface StartingEventSpec {
  /// Templates over event; default: its data
  StartingEventSpec input(Map<String, ?> value);

  /// A condition over event; others start no run
  StartingEventSpec match(String value);

  /// The type of the events
  StartingEventSpec name(String value);
}
