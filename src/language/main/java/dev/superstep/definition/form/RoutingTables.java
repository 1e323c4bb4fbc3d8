package dev.superstep.definition.form;

import static dev.superstep.definition.form.ObjectSchema.optional;
import static dev.superstep.definition.form.ObjectSchema.required;
import static dev.superstep.definition.form.SchemaTypes.bool;
import static dev.superstep.definition.form.SchemaTypes.checkedText;
import static dev.superstep.definition.form.SchemaTypes.number;
import static dev.superstep.definition.form.SchemaTypes.object;
import static dev.superstep.definition.form.SchemaTypes.oneOf;
import static dev.superstep.definition.form.SchemaTypes.text;

import dev.superstep.definition.Codes;
import java.util.List;

/// Edges, and what authors may write on the node that they leave, which becomes edges before the
/// definition is stored.
final class RoutingTables {
  private static final ObjectSchema CASE =
      ObjectSchema.of(
          "SwitchCase",
          "a case",
          optional("when", text(), "CEL: the case is taken if it is the first that is true")
              .reports(
                  Codes.INVALID_EXPRESSION,
                  Codes.UNKNOWN_CHANNEL,
                  Codes.UNKNOWN_FIELD,
                  Codes.MISSING_FIELD),
          optional("to", DefinitionSchema.NODES, "Targets, all of them")
              .reports(Codes.UNKNOWN_NODE, Codes.MISSING_FIELD),
          optional(
                  "else",
                  DefinitionSchema.NODES,
                  "Targets if no case is true; the last case, and without 'when' and 'to'")
              .reports(Codes.UNKNOWN_NODE, Codes.NOT_APPLICABLE));

  private static final ObjectSchema FAILURE =
      ObjectSchema.of(
          "FailureDefinition",
          "on_failure",
          required("to", DefinitionSchema.NODES, "Targets, all of them")
              .reports(Codes.UNKNOWN_NODE, Codes.MISSING_FIELD),
          optional("error_codes", DefinitionSchema.ERROR_CODES.orItem(), "Absent: all codes"),
          optional("error_to", DefinitionSchema.CHANNEL_NAME, "Channel that takes the error"));

  private static final ObjectSchema CAUGHT =
      ObjectSchema.of(
          "CatchDefinition",
          "a catch",
          optional("when", text(), "CEL over error and state: taken only if it is true")
              .reports(
                  Codes.INVALID_EXPRESSION,
                  Codes.UNKNOWN_CHANNEL,
                  Codes.UNKNOWN_FIELD,
                  Codes.MISSING_FIELD),
          optional(
              "error_codes", DefinitionSchema.ERROR_CODES.orItem(), "Taken for these codes only"),
          optional("else", bool(), "true: taken for every failure; the last entry")
              .reports(Codes.NOT_APPLICABLE),
          required("to", DefinitionSchema.NODES, "Targets, all of them")
              .reports(Codes.UNKNOWN_NODE, Codes.MISSING_FIELD),
          optional("error_to", DefinitionSchema.CHANNEL_NAME, "Channel that takes the error"));

  private static final ObjectSchema EDGE =
      ObjectSchema.of(
          "EdgeDefinition",
          "an edge",
          optional("id", checkedText(Names::declared), "Unique in the graph"),
          optional("name", text(), "For people"),
          optional("description", text(), "For people"),
          required("from", DefinitionSchema.NODES, "Sources; several make a join")
              .reports(Codes.UNKNOWN_NODE, Codes.INVALID_EDGE, Codes.INVALID_JOIN),
          optional("to", DefinitionSchema.NODES, "Targets, all of them")
              .reports(Codes.UNKNOWN_NODE, Codes.MISSING_FIELD, Codes.INVALID_EDGE),
          optional("route", text(), "CEL: a node id, a dispatch, or a list of them")
              .reports(
                  Codes.INVALID_EXPRESSION,
                  Codes.UNKNOWN_CHANNEL,
                  Codes.UNKNOWN_FIELD,
                  Codes.NOT_APPLICABLE,
                  Codes.UNKNOWN_NODE,
                  Codes.UNDECLARED_TARGET,
                  Codes.WRONG_TYPE),
          optional("targets", DefinitionSchema.NODES, "What the route may reach")
              .reports(Codes.UNKNOWN_NODE, Codes.NOT_APPLICABLE),
          optional(
                  "route_map",
                  new MapSchema((_, _) -> true, DefinitionSchema.NODE, DefinitionSchema.NAMES_MAX),
                  "Route key to node id")
              .reports(Codes.UNKNOWN_NODE, Codes.NOT_APPLICABLE),
          optional(
                  "if_empty",
                  DefinitionSchema.NODE,
                  "Where an empty route leads instead of the end")
              .reports(Codes.UNKNOWN_NODE, Codes.NOT_APPLICABLE),
          optional("condition", text(), "CEL: the edge is taken when true")
              .reports(
                  Codes.INVALID_EXPRESSION,
                  Codes.NOT_APPLICABLE,
                  Codes.UNKNOWN_FIELD,
                  Codes.UNKNOWN_CHANNEL),
          optional(
                  "type",
                  oneOf(List.of("sequence", "conditional", "error")),
                  "error: taken by failures")
              .standard("sequence")
              .reports(Codes.INVALID_EDGE, Codes.INVALID_JOIN, Codes.NOT_APPLICABLE),
          optional("weight", number(-1e12, 1e12), "For edge_mode first")
              .standard(0)
              .reports(Codes.INVALID_JOIN, Codes.NOT_APPLICABLE),
          optional(
                  "join",
                  oneOf(List.of("all", "any", "activated")),
                  "When an edge of several sources fires")
              .standard("all")
              .reports(Codes.NOT_APPLICABLE),
          optional(
                  "error_codes",
                  DefinitionSchema.ERROR_CODES.orItem(),
                  "Codes that take an error edge")
              .reports(Codes.NOT_APPLICABLE, Codes.DUPLICATE),
          optional("error_to", DefinitionSchema.CHANNEL_NAME, "Channel that takes the error")
              .reports(Codes.NOT_APPLICABLE, Codes.UNKNOWN_CHANNEL),
          optional(
              "context_filter",
              ContextTables.edgeFilter(),
              "What of the prompt context it passes on"),
          optional(
              "on_incompatible",
              oneOf(List.of("skip")),
              "Do not take the edge if its target lacks required context; absent: the target"
                  + " fails"),
          optional("properties", object(), "Kept, and ignored by the engine"));

  private RoutingTables() {}

  static Schema edge() {
    return EDGE;
  }

  static Schema cases() {
    return new ListSchema(CASE, DefinitionSchema.NAMES_MAX);
  }

  static Schema caught() {
    return new ListSchema(CAUGHT, DefinitionSchema.NAMES_MAX).orItem();
  }

  static Schema failures() {
    return new ListSchema(FAILURE, DefinitionSchema.NAMES_MAX).orItem();
  }
}
