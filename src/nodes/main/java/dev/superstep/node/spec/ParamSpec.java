package dev.superstep.node.spec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The table ParamDefinition of the language.
public interface ParamSpec {
  /// Used where neither the run nor the operator gives one
  @Key("default")
  ParamSpec defaultValue(@Nullable Object value);

  /// For people
  ParamSpec description(String value);

  /// JSON Schema of its values; absent: the default's type
  ParamSpec schema(Map<String, ?> value);
}
