package dev.superstep.definition.form;

import static dev.superstep.definition.form.ObjectSchema.optional;
import static dev.superstep.definition.form.ObjectSchema.required;
import static dev.superstep.definition.form.SchemaTypes.text;

/// Edges as authors may write them on the node that they leave. They become edges before the
/// definition is stored.
final class RoutingTables {
  private static final ObjectSchema CASE =
      ObjectSchema.of(
          "SwitchCase",
          "a case",
          optional("when", text(), "CEL: the case is taken if it is the first that is true"),
          optional("to", DefinitionSchema.NODES, "Targets, all of them"),
          optional(
              "else",
              DefinitionSchema.NODES,
              "Targets if no case is true; the last case, and without 'when' and 'to'"));

  private static final ObjectSchema FAILURE =
      ObjectSchema.of(
          "FailureDefinition",
          "on_failure",
          required("to", DefinitionSchema.NODES, "Targets, all of them"),
          optional("error_codes", DefinitionSchema.ERROR_CODES.orItem(), "Absent: all codes"),
          optional("error_to", DefinitionSchema.CHANNEL_NAME, "Channel that takes the error"));

  private RoutingTables() {}

  static Schema cases() {
    return new ListSchema(CASE, DefinitionSchema.NAMES_MAX);
  }

  static Schema failures() {
    return new ListSchema(FAILURE, DefinitionSchema.NAMES_MAX).orItem();
  }
}
