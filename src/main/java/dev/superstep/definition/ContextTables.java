package dev.superstep.definition;

import static dev.superstep.definition.Forms.bool;
import static dev.superstep.definition.Forms.count;
import static dev.superstep.definition.Forms.object;
import static dev.superstep.definition.Forms.oneOf;
import static dev.superstep.definition.Forms.size;
import static dev.superstep.definition.Forms.text;
import static dev.superstep.definition.ObjectForm.optional;
import static dev.superstep.definition.ObjectForm.required;

import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.List;

/// The filters of prompt contexts in the definition language, as API clients see them. They are
/// kept as sent: what is wrong with them says [ContextRules], which also knows what they mean.
final class ContextTables {
  private static final int PATTERNS_MAX = 1_000;
  private static final int FILTERS_MAX = 20;
  private static final Form TARGET = oneOf(List.of("variables", "metadata", "history", "all"));
  private static final Form PATTERNS = new ListForm(text(), PATTERNS_MAX);

  private static final ObjectForm RULE =
      ObjectForm.of(
          "ContextFilterRule",
          "a rule",
          required("type", oneOf(List.of("include", "exclude", "transform")), "What it does"),
          required("pattern", text(), "Glob over whole keys; * is any run of characters, ? one"),
          optional("target", TARGET, "What it is about; default variables"),
          optional("transform", text(), "Call of a transform, such as truncate(200)"),
          optional("condition", text(), "CEL: the rule applies when true"));

  private static final ObjectForm NODE_FILTER =
      ObjectForm.of(
          "ContextFilter",
          "a context filter",
          optional("rules", new ListForm(RULE, PATTERNS_MAX), "Includes, excludes, transforms"),
          optional(
              "default_behavior",
              oneOf(List.of("pass", "block")),
              "What happens to variables that no rule matches; default pass"),
          optional("priority", Forms.number(-1e12, 1e12), "Where filters meet, higher goes first"));

  private static final ObjectForm ONE_OF_FILTERS =
      ObjectForm.of(
          "OneContextFilter",
          "one of the context filters",
          optional("type", oneOf(List.of("rules", "java")), "How it is written; default rules"),
          optional("name", text(), "Of type java: the Spring bean"),
          optional("config", object(), "Of type java: what the bean takes"),
          optional("rules", new ListForm(RULE, PATTERNS_MAX), "Includes, excludes, transforms"),
          optional(
              "default_behavior",
              oneOf(List.of("pass", "block")),
              "What happens to variables that no rule matches; default pass"),
          optional("priority", Forms.number(-1e12, 1e12), "Higher ones go first; default 0"));

  private static final ObjectForm TRANSFORM_RULE =
      ObjectForm.of(
          "ContextTransformRule",
          "a transform rule",
          required("source_pattern", text(), "Glob over whole keys"),
          required("target_pattern", text(), "The keys they get; * is what the source's * matched"),
          optional("transform", text(), "Call of a transform, applied to the values"));

  private static final ObjectForm EDGE_FILTER =
      ObjectForm.of(
          "EdgeContextFilter",
          "an edge's context filter",
          required(
              "type",
              oneOf(List.of("pass_all", "pass_none", "selective", "conditional", "transform")),
              "What it does"),
          optional("include_patterns", PATTERNS, "Globs over keys that pass"),
          optional("exclude_patterns", PATTERNS, "Globs over keys that never pass"),
          optional(
              "transform_rules", new ListForm(TRANSFORM_RULE, PATTERNS_MAX), "For type transform"),
          optional("condition", text(), "CEL, for type conditional; the edge itself is taken"),
          optional("target", TARGET, "What patterns are about; default variables and metadata"));

  private static final ObjectForm HISTORY =
      ObjectForm.of(
          "ContextHistory",
          "history",
          optional("keep_last", count(0), "Entries that a run keeps; default 100"),
          optional("max_bytes", size(), "What they may be together, as JSON; default 1MB"),
          optional("unbounded", bool(), "true: all entries are kept, up to the size of the state"));

  private ContextTables() {}

  /// How much history is kept; the text `unbounded` is short for the object that says so.
  static Form history() {
    return HISTORY.readBy((value, at) ->
        HISTORY.read(
            Value.of("unbounded").equals(value) ? ObjectValue.of("unbounded", Value.TRUE) : value,
            at));
  }

  static Form nodeFilter() {
    return NODE_FILTER.readBy(object()::read);
  }

  static Form nodeFilters() {
    return new ListForm(ONE_OF_FILTERS, FILTERS_MAX)
        .readBy((value, at) -> new ListForm(object(), FILTERS_MAX).read(value, at));
  }

  /// A list of filters is `context_filters` in long form, also where an author writes it as
  /// `context_filter`: a key has one type.
  static Value longForm(Value node) {
    return node instanceof ObjectValue object
            && object.get("context_filter") instanceof ListValue filters
            && !object.has("context_filters")
        ? object.minus("context_filter").plus("context_filters", filters)
        : node;
  }

  static Form edgeFilter() {
    return EDGE_FILTER.readBy(object()::read);
  }

  static Form patterns() {
    return PATTERNS.readBy((value, _) -> java.util.Optional.of(value));
  }
}
