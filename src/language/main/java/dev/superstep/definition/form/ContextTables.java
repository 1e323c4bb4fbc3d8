package dev.superstep.definition.form;

import static dev.superstep.definition.form.ObjectSchema.optional;
import static dev.superstep.definition.form.ObjectSchema.required;
import static dev.superstep.definition.form.SchemaTypes.bool;
import static dev.superstep.definition.form.SchemaTypes.count;
import static dev.superstep.definition.form.SchemaTypes.object;
import static dev.superstep.definition.form.SchemaTypes.oneOf;
import static dev.superstep.definition.form.SchemaTypes.size;
import static dev.superstep.definition.form.SchemaTypes.text;

import dev.superstep.context.EdgeContextFilter;
import dev.superstep.context.HistoryLimit;
import dev.superstep.context.PromptContext;
import dev.superstep.context.TransformTarget;
import dev.superstep.definition.Codes;
import dev.superstep.definition.form.RecordSchema.Fields;
import dev.superstep.definition.form.Schema.Audience;
import dev.superstep.engine.ContextPlan.PlanMode;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;

/// The filters of prompt contexts in the definition language, as API clients see them. They are
/// kept as sent: [ContextRules], which knows what they mean, reports errors.
public final class ContextTables {
  private static final int PATTERNS_MAX = 1_000;
  private static final int FILTERS_MAX = 20;
  private static final Schema TARGET = oneOf(TransformTarget.NAMES);
  private static final Schema PATTERNS = new ListSchema(text(), PATTERNS_MAX);

  private static final ObjectSchema RULE =
      ObjectSchema.of(
          "ContextFilterRule",
          "a rule",
          required("type", oneOf(List.of("include", "exclude", "transform")), "What it does"),
          required("pattern", text(), "Glob over whole keys; * is any run of characters, ? one")
              .reports("invalid_pattern"),
          optional("target", TARGET, "What it is about").standard("variables"),
          optional("transform", text(), "Call of a transform, such as truncate(200)")
              .reports("invalid_transform", "unknown_transform", "not_applicable"),
          optional("condition", text(), "CEL: the rule applies when true")
              .reports("invalid_expression"));

  private static final ObjectSchema.SchemaKey RULES =
      optional("rules", new ListSchema(RULE, PATTERNS_MAX), "Includes, excludes, transforms");

  private static final ObjectSchema.SchemaKey DEFAULT_BEHAVIOR =
      optional(
              "default_behavior",
              oneOf(List.of("pass", "block")),
              "What happens to variables that no rule matches")
          .standard("pass");

  private static final ObjectSchema NODE_FILTER =
      ObjectSchema.of(
          "ContextFilter",
          "a context filter",
          RULES,
          DEFAULT_BEHAVIOR,
          optional(
              "priority",
              SchemaTypes.number(-1e12, 1e12),
              "Where filters meet, higher goes first"));

  private static final ObjectSchema ONE_OF_FILTERS =
      ObjectSchema.of(
          "OneContextFilter",
          "one of the context filters",
          optional("type", oneOf(List.of("rules", "java")), "How it is written").standard("rules"),
          optional("name", text(), "Of type java: the Spring bean")
              .reports("unknown_filter", "missing_field"),
          optional("config", object(), "Of type java: what the bean takes"),
          RULES,
          DEFAULT_BEHAVIOR,
          optional("priority", SchemaTypes.number(-1e12, 1e12), "Higher ones go first")
              .standard(0));

  private static final ObjectSchema TRANSFORM_RULE =
      ObjectSchema.of(
          "ContextTransformRule",
          "a transform rule",
          required("source_pattern", text(), "Glob over whole keys"),
          required("target_pattern", text(), "The keys they get; * is what the source's * matched"),
          optional("transform", text(), "Call of a transform, applied to the values"));

  private static final ObjectSchema EDGE_FILTER =
      ObjectSchema.of(
          "EdgeContextFilter",
          "an edge's context filter",
          required("type", oneOf(EdgeContextFilter.TYPES), "What it does"),
          optional("include_patterns", PATTERNS, "Globs over keys that pass"),
          optional("exclude_patterns", PATTERNS, "Globs over keys that never pass"),
          optional(
              "transform_rules",
              new ListSchema(TRANSFORM_RULE, PATTERNS_MAX),
              "For type transform"),
          optional("condition", text(), "CEL, for type conditional; the edge itself is taken"),
          optional("target", TARGET, "What patterns are about; default variables and metadata"));

  private static final RecordSchema<HistoryLimit> HISTORY =
      RecordSchema.of("ContextHistory", "history", ContextTables::history);

  private static final Schema DOTTED =
      Schema.of(
          SchemaText.openObject(),
          DottedKeys::read,
          Codes.WRONG_TYPE,
          Codes.INVALID_NAME,
          Codes.DUPLICATE);

  /// The prompt context of every run.
  public static final RecordSchema<ContextDefinition> CONTEXT =
      RecordSchema.of("ContextDefinition", "context", ContextTables::context);

  /// @param initial what runs start from
  public record ContextDefinition(PlanMode mode, PromptContext initial, HistoryLimit history) {}

  private ContextTables() {}

  private static HistoryLimit history(Fields in) {
    int keepLast =
        in.count(
            optional("keep_last", count(0), "Entries that a run keeps")
                .standard(HistoryLimit.KEEP_LAST_DEFAULT));
    var maxBytes =
        in.text(
            optional("max_bytes", size(), "What they may be together, as JSON").standard("1MB"));
    boolean unbounded =
        in.flag(
            in.key(
                optional(
                        "unbounded",
                        bool(),
                        "true: all entries are kept, up to the size of the state")
                    .standard(Value.FALSE)));
    return unbounded
        ? HistoryLimit.UNBOUNDED
        : new HistoryLimit(keepLast, ByteSizes.parse(maxBytes).orElseThrow());
  }

  private static ContextDefinition context(Fields in) {
    var mode =
        in.key(
            optional(
                    "mode",
                    oneOf(List.of("view", "chain")),
                    "Whether edges filter the run's context, or what their source passed on")
                .standard("view"));
    var initial =
        new PromptContext(
            in.text(
                optional("template", text(), "System prompt; a template")
                    .reports(Codes.INVALID_EXPRESSION, Codes.UNKNOWN_PROMPT)),
            in.object(optional("variables", DOTTED, "Initial variables")),
            ListValue.empty(),
            ListValue.empty(),
            in.object(optional("metadata", DOTTED, "Initial metadata")));
    var history =
        in.object(
            optional("history", history(), "How much history a run keeps; 100 entries and 1MB"));
    return new ContextDefinition(
        in.isText(mode, "chain") ? PlanMode.CHAIN : PlanMode.VIEW, initial, HISTORY.of(history));
  }

  /// How much history is kept; the text `unbounded` is short for the object without limits.
  private static Schema history() {
    return HISTORY.readBy(
        (value, at) ->
            HISTORY.read(
                Value.of("unbounded").equals(value)
                    ? ObjectValue.of("unbounded", Value.TRUE)
                    : value,
                at),
        SchemaText.anyOf(SchemaText.oneOf(List.of("unbounded")), HISTORY.schema(Audience.AUTHOR)));
  }

  static Schema nodeFilter() {
    return NODE_FILTER.readBy(
        object()::read,
        SchemaText.anyOf(
            NODE_FILTER.schema(Audience.AUTHOR), nodeFilters().schema(Audience.AUTHOR)));
  }

  static Schema nodeFilters() {
    return new ListSchema(ONE_OF_FILTERS, FILTERS_MAX)
        .readBy((value, at) -> new ListSchema(object(), FILTERS_MAX).read(value, at));
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

  static Schema edgeFilter() {
    return EDGE_FILTER.readBy(object()::read);
  }

  static Schema patterns() {
    return PATTERNS.readBy((value, _) -> java.util.Optional.of(value));
  }
}
