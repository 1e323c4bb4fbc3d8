package dev.superstep.node.spec;

import java.util.Map;
import java.util.function.Consumer;

/// The table ContextDefinition of the language.
public interface ContextSpec {
  /// How much history a run keeps; 100 entries and 1MB: unbounded
  ContextSpec history(String value);

  /// How much history a run keeps; 100 entries and 1MB: unbounded
  ContextSpec history(Consumer<ContextHistorySpec> author);

  /// Initial metadata
  ContextSpec metadata(Map<String, ?> value);

  /// Whether edges filter the run's context, or what their source passed on: view, chain
  ContextSpec mode(String value);

  /// System prompt; a template
  ContextSpec template(String value);

  /// Initial variables
  ContextSpec variables(Map<String, ?> value);
}
