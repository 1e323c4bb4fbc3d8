package dev.superstep.definition.form;

import static dev.superstep.definition.form.ObjectSchema.emptyCounts;
import static dev.superstep.definition.form.ObjectSchema.nullCounts;
import static dev.superstep.definition.form.ObjectSchema.optional;
import static dev.superstep.definition.form.ObjectSchema.required;
import static dev.superstep.definition.form.SchemaTypes.any;
import static dev.superstep.definition.form.SchemaTypes.bool;
import static dev.superstep.definition.form.SchemaTypes.checkedText;
import static dev.superstep.definition.form.SchemaTypes.count;
import static dev.superstep.definition.form.SchemaTypes.duration;
import static dev.superstep.definition.form.SchemaTypes.longCount;
import static dev.superstep.definition.form.SchemaTypes.number;
import static dev.superstep.definition.form.SchemaTypes.object;
import static dev.superstep.definition.form.SchemaTypes.oneOf;
import static dev.superstep.definition.form.SchemaTypes.text;

import dev.superstep.definition.Codes;
import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.GraphName;
import dev.superstep.definition.form.RecordSchema.Fields;
import dev.superstep.definition.form.Schema.Audience;
import dev.superstep.graph.CachePolicy;
import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.RetryPolicy;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The definition language: which object has which keys, and what they hold. What keys mean to each
/// other is checked by the readers behind it.
public final class DefinitionSchema {
  /// Items of the small lists: sources, targets, error codes.
  static final int NAMES_MAX = 2_000;

  static final Schema NODE = checkedText(Names::reference, Codes.INVALID_NAME);
  static final Schema NODES = new ListSchema(NODE, NAMES_MAX).orItem();
  static final Schema CHANNEL_NAME =
      checkedText(Names::channel, Codes.INVALID_NAME, Codes.RESERVED_NAME);
  static final ListSchema ERROR_CODES =
      new ListSchema(checkedText(Names::errorCodes, Codes.INVALID_VALUE), NAMES_MAX);
  private static final Schema BREAKPOINT =
      checkedText(Names::breakpoint, Codes.INVALID_NAME, Codes.UNKNOWN_NODE);
  private static final Schema BREAKPOINTS = new ListSchema(BREAKPOINT, NAMES_MAX).orItem();
  private static final ObjectSchema LIMITS =
      ObjectSchema.of(
          "GraphLimits",
          "limits",
          optional("max_supersteps", count(1), "Node supersteps of a run")
              .standard(100)
              .reports(Codes.ABOVE_SERVER_LIMIT),
          optional("max_concurrency", count(1), "Tasks of a run at a time")
              .reports(Codes.ABOVE_SERVER_LIMIT),
          optional("max_dispatches", count(0), "Dispatches of a run")
              .reports(Codes.ABOVE_SERVER_LIMIT),
          optional("max_model_calls", count(0), "Model calls of a run"),
          optional("max_tokens", longCount(0), "Tokens of a run"),
          optional("timeout", duration(), "Wall time of a run, interruptions not counted")
              .reports(Codes.OUT_OF_RANGE, Codes.ABOVE_SERVER_LIMIT));

  private static final ObjectSchema INBOX =
      ObjectSchema.of(
          "InboxDefinition",
          "inbox",
          optional("channel", CHANNEL_NAME, "For messages that name none; default: messages")
              .reports(Codes.UNKNOWN_CHANNEL),
          optional("node", NODE, "Runs instead of the end when messages were taken with it")
              .reports(Codes.UNKNOWN_NODE, Codes.MISSING_FIELD),
          optional(
                  "at",
                  oneOf(List.of("next_superstep", "end_of_turn")),
                  "Whether the next superstep takes them, or the one that would end the run")
              .standard("next_superstep"),
          optional("take", oneOf(List.of("all", "one")), "How many a superstep takes")
              .standard("all"),
          optional(
                  "resumes",
                  bool(),
                  "Whether a message has a run go on that asks, stands at a breakpoint or has"
                      + " failed; what it asks is closed")
              .standard(Value.FALSE));

  private static final ObjectSchema THRESHOLD =
      ObjectSchema.of(
          "CompactionThreshold",
          "when",
          optional("tokens_over", longCount(1), "Tokens that the channel may have"),
          optional("messages_over", count(1), "Messages that the channel may have"),
          optional("model", text(), "Whose tokens; default: the summarizer's model"));

  private static final ObjectSchema COMPACTION =
      ObjectSchema.of(
          "CompactionDefinition",
          "compaction",
          required("when", THRESHOLD, "What is too much: either, or both"),
          optional("keep_last", count(0), "Messages that stay as they are").standard(10),
          required(
                  "summarizer",
                  object(),
                  "What summarises: {type: drop | expression | function | llm, …}")
              .reports(
                  Codes.INVALID_CONFIG,
                  Codes.SUMMARIZER_UNAVAILABLE,
                  Codes.INVALID_EXPRESSION,
                  Codes.UNKNOWN_FUNCTION));

  private static final ObjectSchema CHANNEL =
      ObjectSchema.of(
          "ChannelDefinition",
          "a channel",
          optional(
                  "reducer",
                  oneOf(Reducers.ALL.stream().map(Reducers.KnownReducer::name).toList()),
                  "How the channel takes updates")
              .standard("last_value"),
          optional("expression", text(), "CEL over left and right, for reducer expression")
              .reports(
                  Codes.INVALID_EXPRESSION,
                  Codes.NOT_APPLICABLE,
                  Codes.MISSING_FIELD,
                  Codes.UNKNOWN_FIELD),
          optional("function", text(), "Registered merge function, for reducer function")
              .reports(Codes.UNKNOWN_FUNCTION, Codes.NOT_APPLICABLE, Codes.MISSING_FIELD),
          nullCounts("default", any(), "Value at superstep 0")
              .reports(Codes.INVALID_DEFAULT, Codes.SCHEMA_VIOLATION),
          emptyCounts("schema", object(), "JSON Schema of every value")
              .reports(Codes.INVALID_SCHEMA),
          optional("append_only", bool(), "Nothing may ever shrink or replace it")
              .standard(Value.FALSE)
              .reports(Codes.NOT_APPLICABLE),
          optional("mirror_to", CHANNEL_NAME, "Append-only channel that keeps all messages")
              .reports(Codes.NOT_APPLICABLE, Codes.UNKNOWN_CHANNEL, Codes.INVALID_MIRROR),
          optional(
                  "on_conflict",
                  oneOf(List.of("last", "error")),
                  "What several writes in one superstep mean, for reducer last_value")
              .standard("last")
              .reports(Codes.NOT_APPLICABLE),
          optional(
              "scope",
              oneOf(List.of("thread", "run")),
              "Whether the next run of a thread goes on from the value, or starts from the default;"
                  + " thread, and run for the fields of one task of an agent: iteration,"
                  + " finish_reason, scratchpad, validated_content"),
          emptyCounts("compaction", COMPACTION, "When and how the channel is shortened")
              .reports(Codes.NOT_APPLICABLE));

  /// How failed attempts of a node are repeated.
  public static final RecordSchema<RetryPolicy> RETRY =
      RecordSchema.of("RetryDefinition", "retry", DefinitionSchema::retry);

  /// Retry policies of a node.
  private static final int RETRIES_MAX = 20;

  private static final ListSchema RETRIES = new ListSchema(RETRY, RETRIES_MAX);

  private static final Schema RETRY_OR_LIST =
      RETRY.readBy(
          (value, at) ->
              value instanceof ListValue ? RETRIES.read(value, at) : RETRY.read(value, at),
          SchemaText.anyOf(RETRY.schema(Audience.AUTHOR), RETRIES.schema(Audience.AUTHOR)));

  /// Which tasks of a node come to the same result.
  public static final RecordSchema<CachePolicy> CACHE =
      RecordSchema.of("CacheDefinition", "cache", DefinitionSchema::cache);

  /// How far the dispatches of a node have to get.
  public static final RecordSchema<DispatchPolicy> DISPATCH_POLICY =
      RecordSchema.of("DispatchPolicyDefinition", "dispatch_policy", DefinitionSchema::dispatches);

  private static final Schema COORDINATE = number(-1e12, 1e12);

  private static final ObjectSchema POSITION =
      ObjectSchema.of(
          "Position",
          "position",
          optional("x", COORDINATE, "To the right"),
          optional("y", COORDINATE, "Downwards"));

  private static final Schema NODE_FILTER = ContextTables.nodeFilter();

  private static final ObjectSchema NODE_TABLE =
      ObjectSchema.of(
          "NodeDefinition",
          "a node",
          required(
                  "id",
                  checkedText(Names::declared, Codes.INVALID_NAME, Codes.RESERVED_NAME),
                  "Unique in the graph: a letter, then up to 63 letters, digits, `_` or `-`")
              .reports(Codes.DUPLICATE),
          required("type", text(), "One of GET /v1/node-types")
              .reports(Codes.UNKNOWN_NODE_TYPE, Codes.NODE_TYPE_UNAVAILABLE),
          optional("name", text(), "For people"),
          optional("description", text(), "For people"),
          optional("position", POSITION, "For editors; kept, and ignored by the engine"),
          optional("properties", object(), "Kept, and ignored by the engine"),
          emptyCounts("config", object(), "What the node type takes; strings may be templates")
              .reports(Codes.INVALID_CONFIG, Codes.UNKNOWN_FIELD, Codes.INVALID_EXPRESSION),
          emptyCounts(
                  "retry",
                  RETRY_OR_LIST,
                  "How failed attempts are repeated; absent: never. Of a list, the first that"
                      + " repeats the error counts, and each counts its own")
              .reports(Codes.NOT_APPLICABLE),
          optional("retries", RETRIES, "What a list of several policies at retry is stored as")
              .reports(Codes.NOT_APPLICABLE),
          optional("timeout", duration(), "Of one attempt")
              .standard("5m")
              .reports(Codes.OUT_OF_RANGE, Codes.NOT_APPLICABLE),
          optional("total_timeout", duration(), "Of all attempts and the pauses between them")
              .reports(Codes.OUT_OF_RANGE, Codes.NOT_APPLICABLE),
          optional("cache", CACHE, "Results that are kept for other tasks; absent: none are")
              .reports(Codes.NOT_APPLICABLE),
          optional(
                  "on_error",
                  oneOf(List.of("fail", "continue")),
                  "What a failure without error edge means")
              .standard("fail")
              .reports(Codes.NOT_APPLICABLE, Codes.STALLING_JOIN),
          optional(
                  "optional",
                  bool(),
                  "The run goes on without it: its failure is handled as by on_error continue, and"
                      + " joins count it as arrived; false says that a join may stall")
              .reports(Codes.NOT_APPLICABLE, Codes.STALLING_JOIN),
          optional("max_concurrency", count(1), "Tasks of this node at a time"),
          optional("defer", bool(), "Run only when nothing ordinary is pending")
              .standard(Value.FALSE),
          optional(
                  "edge_mode",
                  oneOf(List.of("all", "first")),
                  "Take all true edges, or the one of highest weight")
              .standard("all")
              .reports(Codes.NOT_APPLICABLE, Codes.MISSING_ELSE),
          optional("next", NODES, "Short for an edge to there")
              .reports(Codes.UNKNOWN_NODE, Codes.NOT_APPLICABLE, Codes.INVALID_EDGE),
          optional(
                  "switch",
                  RoutingTables.cases(),
                  "Short for edges of which the first true one is taken")
              .reports(Codes.NOT_APPLICABLE, Codes.MISSING_ELSE),
          optional(
                  "on_no_match",
                  oneOf(List.of("end", "fail")),
                  "What it means that no case, or no edge of the node, is taken: the branch ends,"
                      + " or the task fails with invalid_route")
              .standard("end")
              .reports(Codes.NOT_APPLICABLE, Codes.NO_EFFECT),
          optional(
                  "catch",
                  RoutingTables.caught(),
                  "Short for error edges of which a failure takes the first that fits; one, or a"
                      + " list")
              .reports(Codes.NOT_APPLICABLE),
          optional(
                  "on_failure",
                  RoutingTables.failures(),
                  "Short for error edges of which a failure takes all that fit; one, or a list")
              .reports(Codes.NOT_APPLICABLE, Codes.BOTH_TAKEN),
          optional(
                  "error_mode",
                  oneOf(List.of("all", "first")),
                  "Whether a failure takes all error edges that fit, or the first of them")
              .standard("all")
              .reports(Codes.NOT_APPLICABLE),
          optional("targets", NODES, "What computed goto and dispatch may reach")
              .reports(Codes.UNKNOWN_NODE, Codes.NOT_APPLICABLE),
          optional("if_empty", NODE, "Where an empty dispatch leads instead of the end")
              .reports(Codes.UNKNOWN_NODE, Codes.NOT_APPLICABLE),
          optional(
                  "dispatch_policy",
                  DISPATCH_POLICY,
                  "How far the dispatches of one task have to get; absent: all have to succeed")
              .reports(Codes.NOT_APPLICABLE, Codes.OUT_OF_RANGE),
          optional(
              "context_type",
              text(),
              "How it takes the prompt context, or custom:<processor>; default: as its type does"),
          optional("context_filter", NODE_FILTER, "What of the prompt context it takes"),
          optional(
              "context_filters",
              ContextTables.nodeFilters(),
              "Several filters, merged by priority; may be written as context_filter"),
          optional("processor_config", object(), "What a custom context type takes"),
          optional(
              "required_context",
              ContextTables.patterns(),
              "Patterns of keys without which it must not run"));

  private static final ObjectSchema DEFAULTS =
      ObjectSchema.of(
          "NodeDefaults",
          "defaults of a node type",
          emptyCounts("config", object(), "Under the keys of the node's own config"),
          emptyCounts("retry", RETRY_OR_LIST, "For nodes without retry"),
          optional("timeout", duration(), "Of one attempt"),
          optional("total_timeout", duration(), "Of all attempts and the pauses between them"),
          optional(
              "catch", RoutingTables.caught(), "For nodes that do not say what a failure means"),
          optional(
              "on_failure",
              RoutingTables.failures(),
              "For nodes that do not say what a failure means"),
          optional(
              "on_error",
              oneOf(List.of("fail", "continue")),
              "What a failure without error edge means"),
          optional("max_concurrency", count(1), "Tasks of each node at a time"),
          optional("context_type", text(), "How the nodes take the prompt context"),
          optional("context_filter", NODE_FILTER, "What of the prompt context they take"),
          optional(
              "context_filters",
              ContextTables.nodeFilters(),
              "Several filters; may be written as context_filter"),
          optional("processor_config", object(), "What a custom context type takes"),
          optional(
              "required_context",
              ContextTables.patterns(),
              "Patterns of keys without which they must not run"));

  private static final ObjectSchema INPUT =
      ObjectSchema.of(
          "InputDefinition",
          "input",
          emptyCounts("schema", object(), "JSON Schema of a run's input")
              .reports(Codes.INVALID_SCHEMA));

  private static final ObjectSchema OUTPUT =
      ObjectSchema.of(
          "OutputDefinition",
          "output",
          optional(
                  "channels",
                  new ListSchema(CHANNEL_NAME, NAMES_MAX).distinct(),
                  "What the result is made of; absent: the state")
              .reports(Codes.UNKNOWN_CHANNEL));

  /// More failures than any superstep has dispatches.
  private static final int FAILURES_MAX = 1_000_000;

  /// A web service that a graph declares as a tool.
  public static final RecordSchema<DefinedTool> TOOL =
      RecordSchema.of("ToolDefinition", "a tool", DefinitionSchema::tool);

  private static final ObjectSchema PARAM =
      ObjectSchema.of(
          "ParamDefinition",
          "a param",
          emptyCounts("schema", object(), "JSON Schema of its values; absent: the default's type")
              .reports(Codes.INVALID_SCHEMA),
          nullCounts("default", any(), "Used where neither the run nor the operator gives one")
              .reports(Codes.SCHEMA_VIOLATION),
          optional("description", text(), "For people"));

  private static final Schema PARAMS = new MapSchema(Names::param, orNull(PARAM), 100);

  private static final Schema PROMPTS = new MapSchema(Names::prompt, text(), 200);

  /// Tools of a graph.
  private static final int TOOLS_MAX = 100;

  /// Node types with defaults.
  private static final int NODE_TYPES_MAX = 100;

  /// Inline graphs of a definition.
  private static final int GRAPHS_MAX = 50;

  /// The rest, such as params and prompts, inline graphs share with the definition around them.
  private static final List<String> INLINE_KEYS =
      List.of(
          "description",
          "metadata",
          "template",
          "strict_channels",
          "channels",
          "input",
          "output",
          "limits",
          "inbox",
          "interrupt_before",
          "interrupt_after",
          "context",
          "nodes",
          "edges");

  private static final ObjectSchema.SchemaKey NAME =
      required(
          "name",
          checkedText(Names::graph, Codes.INVALID_NAME),
          "Identifies the graph: a lower-case letter, then up to 63 of a-z, 0-9, `_` and `-`");
  private static final String TEMPLATE =
      "agent: declares the channels of an agent, and three attempts for its calls; what the"
          + " definition declares itself wins. The stored definition has what the template"
          + " declares, and no template";

  private DefinitionSchema() {}

  public static ObjectSchema graph(DefinitionLimits limits) {
    var single = single(limits);
    return single.with(
        optional(
                GraphName.GRAPHS,
                new MapSchema(
                    Names::graph,
                    single.only("InlineGraphDefinition", "an inline graph", INLINE_KEYS),
                    GRAPHS_MAX),
                "Graphs of this definition alone, by name, for subgraph nodes with graph: '#name'")
            .reports(Codes.NO_EFFECT));
  }

  private static RetryPolicy retry(Fields in) {
    return new RetryPolicy(
        in.count(
            optional("max_attempts", count(1), "Attempts in all")
                .standard(RetryPolicy.DEFAULT.attemptsMax())),
        in.duration(
            optional("initial_interval", duration(), "Pause before the second attempt")
                .standard("500ms")),
        in.decimal(optional("multiplier", number(1, 1_000), "Growth of the pause").standard(2)),
        in.duration(optional("max_interval", duration(), "Longest pause").standard("30s")),
        in.decimal(
            optional("jitter", number(0, 1), "Random share of the pause")
                .standard(Value.of(RetryPolicy.DEFAULT.jitter()))),
        in.texts(
            optional(
                "retry_on", ERROR_CODES.distinct(), "Codes to retry; default: retryable ones")),
        in.texts(optional("no_retry_on", ERROR_CODES.distinct(), "Codes never to retry")));
  }

  private static CachePolicy cache(Fields in) {
    return new CachePolicy(
        in.textOrEmpty(
            in.key(
                required("key", text(), "CEL: tasks for which it gives the same have one result")
                    .reports(Codes.INVALID_EXPRESSION))),
        in.duration(
            optional("ttl", duration(), "How long a result is kept; no longer than its run")
                .standard("1h")
                .reports(Codes.OUT_OF_RANGE)));
  }

  private static DispatchPolicy dispatches(Fields in) {
    int least =
        in.findInt(
                in.key(
                    optional(
                        "min_succeeded",
                        count(1),
                        "So many successes are enough: the other dispatches are cancelled")))
            .orElse(0);
    boolean firstWins =
        in.isTrue(
            in.key(
                optional("first_wins", bool(), "The first success is enough")
                    .reports(Codes.NOT_APPLICABLE)));
    var tolerated =
        in.get(
            in.key(
                optional(
                        "tolerated_failures",
                        number(0, FAILURES_MAX),
                        "How many failures do not matter, or below 1 which share of the"
                            + " dispatches; one more cancels the other dispatches")
                    .reports(Codes.OUT_OF_RANGE)));
    int most =
        in.findInt(
                in.key(optional("max_concurrency", count(1), "Dispatches of one task at a time")))
            .orElse(0);
    return new DispatchPolicy(firstWins ? Math.max(1, least) : least, decimal(tolerated), most);
  }

  private static Optional<BigDecimal> decimal(@Nullable Value number) {
    return switch (number) {
      case Value.Int(var whole) -> Optional.of(BigDecimal.valueOf(whole));
      case Value.Real(var real) -> Optional.of(BigDecimal.valueOf(real));
      case null, default -> Optional.empty();
    };
  }

  /// @param headers by name; a value may name a secret
  /// @param execution whether a call whose outcome is unknown may be repeated
  public record DefinedTool(
      String url,
      String method,
      String description,
      Optional<ObjectValue> parameters,
      ObjectValue headers,
      Duration timeout,
      String execution) {}

  private static DefinedTool tool(Fields in) {
    return new DefinedTool(
        in.text(
            required(
                    "url",
                    text(),
                    "http or https; {argument} behind the host stands for an argument")
                .reports(Codes.INVALID_VALUE, Codes.SECRET_IN_URL)),
        in.text(
            optional(
                    "method",
                    oneOf(List.of("GET", "POST", "PUT", "PATCH", "DELETE")),
                    "With a body for POST, PUT, PATCH, else a query")
                .standard("POST")),
        in.text(optional("description", text(), "For the model")),
        in.findObject(
            in.key(
                emptyCounts("parameters", object(), "JSON Schema of the arguments")
                    .reports(Codes.INVALID_SCHEMA))),
        in.object(
            optional(
                    "headers",
                    new MapSchema((_, _) -> true, text(), NAMES_MAX),
                    "Header to value; secret:<name> for a secret that the operator released")
                .reports("unknown_secret", Codes.INVALID_VALUE)),
        in.duration(optional("timeout", duration(), "Of one call").standard("1m")),
        in.text(
            optional(
                    "execution",
                    oneOf(List.of("idempotent", "at_most_once")),
                    "Whether a call whose outcome is unknown may be repeated")
                .standard("idempotent")));
  }

  /// A graph without inline graphs.
  private static ObjectSchema single(DefinitionLimits limits) {
    return ObjectSchema.of(
        "GraphDefinition",
        "a graph",
        NAME,
        optional("description", text(), "For people"),
        optional("metadata", object(), "Kept, and ignored by the engine"),
        optional("template", oneOf(List.of("agent")), TEMPLATE),
        optional("strict_channels", bool(), "Refuse writes to undeclared channels")
            .standard(Value.FALSE),
        optional(
            "channels",
            new MapSchema(Names::channel, orNull(CHANNEL), limits.channelsMax()),
            "State fields by name"),
        optional("params", PARAMS, "What differs from deployment to deployment; never secrets"),
        optional("input", INPUT, "What a run takes"),
        optional("output", OUTPUT, "What a run gives"),
        optional("limits", LIMITS, "Limits of every run"),
        optional("inbox", INBOX, "How runs take the messages that are sent to them"),
        optional("interrupt_before", BREAKPOINTS, "Nodes to stop before; * is all"),
        optional("interrupt_after", BREAKPOINTS, "Nodes to stop after; * is all"),
        optional("context", ContextTables.CONTEXT, "Prompt context of every run"),
        optional("prompts", PROMPTS, "Templates by name, for segments {{ prompts.name }}")
            .reports(Codes.INVALID_EXPRESSION, Codes.NO_EFFECT),
        optional("tools", new MapSchema(Names::tool, TOOL, TOOLS_MAX), "Web services as tools"),
        optional(
            "defaults",
            HandlerNodes.defaults(
                new MapSchema((_, _) -> true, withFilters(DEFAULTS), NODE_TYPES_MAX),
                DEFAULTS.only("DefaultHandlers", "defaults", HandlerNodes.HANDLERS)),
            "Node type to what its nodes have unless they say otherwise; catch or on_failure for"
                + " those of all types. The stored definition has it in its nodes"),
        TestTables.key(),
        TriggerTables.key(),
        required(
                "nodes", new ListSchema(withFilters(NODE_TABLE), limits.nodesMax()), "What can run")
            .reports(Codes.ENDLESS_CYCLE, Codes.UNREACHABLE_NODE),
        edges(limits));
  }

  private static ObjectSchema.SchemaKey edges(DefinitionLimits limits) {
    return optional(
            "edges",
            new ListSchema(RoutingTables.edge(), limits.edgesMax()),
            "What leads where; without one from __start__ the first node begins")
        .reports(Codes.BOTH_TAKEN, Codes.EXCLUSIVE_BRANCHES);
  }

  /// A name alone stands for an object without keys.
  private static Schema orNull(ObjectSchema table) {
    return table.readBy(
        (value, at) -> table.read(value instanceof Value.Null ? ObjectValue.empty() : value, at),
        SchemaText.anyOf(table.schema(Audience.AUTHOR), SchemaText.type("null")));
  }

  private static Schema withFilters(ObjectSchema table) {
    return table.readBy((value, at) -> table.read(ContextTables.longForm(value), at));
  }
}
