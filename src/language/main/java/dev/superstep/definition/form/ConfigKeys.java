package dev.superstep.definition.form;

import java.util.Set;

/// The members of `config` that are no templates, whatever the type of the node.
public final class ConfigKeys {
  /// They are CEL without braces, and give true or false.
  public static final Set<String> CONDITIONS = Set.of("success", "approval_when");

  private static final Set<String> SCHEMAS =
      Set.of("answer_schema", "output_schema", "response_schema");

  private ConfigKeys() {}

  /// Whether strings in the member may have segments.
  public static boolean isTemplate(String key) {
    return !CONDITIONS.contains(key) && !SCHEMAS.contains(key);
  }
}
