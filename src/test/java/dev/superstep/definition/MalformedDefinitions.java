package dev.superstep.definition;

import java.util.stream.Stream;

/// Definitions with one thing wrong each, and what must be said about it. Used by the tests of the
/// reader and of the API.
public final class MalformedDefinitions {
  private MalformedDefinitions() {}

  /// @param text YAML
  /// @param code of an expected error
  /// @param pointer of that error
  public record Case(String text, String code, String pointer) {
    @Override
    public String toString() {
      return code + " at '" + pointer + "'";
    }
  }

  public static Stream<Case> all() {
    return Stream.of(shapes(), names(), channels(), nodes(), edges(), joins(), later())
        .flatMap(it -> it);
  }

  private static Stream<Case> shapes() {
    return Stream.of(
        new Case("[]", "wrong_type", ""),
        new Case("just text", "wrong_type", ""),
        new Case("", "wrong_type", ""),
        new Case("name: g\nname: h", "duplicate_key", "/name"),
        new Case("name: g\nmetadata: {n: 1e400}", "number_not_representable", "/metadata/n"),
        new Case("name: !!str g", "yaml_tag", "/name"),
        new Case("edges: [{from: __start__, to: a}]", "missing_field", "/name"),
        new Case("name: g", "missing_field", "/nodes"),
        new Case("name: g\nnodes: []\nedges: []", "missing_field", "/edges"),
        new Case("name: g\nnodes: {a: {}}", "wrong_type", "/nodes"),
        new Case("name: g\nnodes: [a]", "wrong_type", "/nodes/0"),
        new Case(graph("nodez: []"), "unknown_field", "/nodez"),
        new Case(graph("id: server-set"), "unknown_field", "/id"),
        new Case(graph("strict_channels: yes"), "wrong_type", "/strict_channels"),
        new Case(graph("limits: {max_supersteps: 0}"), "out_of_range", "/limits/max_supersteps"),
        new Case(graph("limits: {max_supersteps: 1.5}"), "wrong_type", "/limits/max_supersteps"),
        new Case(graph("limits: {timeout: 5 min}"), "invalid_duration", "/limits/timeout"),
        new Case(graph("limits: {timeout: -PT5M}"), "invalid_duration", "/limits/timeout"),
        new Case(graph("limits: {max_step: 5}"), "unknown_field", "/limits/max_step"),
        new Case(graph("interrupt_before: nobody"), "unknown_node", "/interrupt_before"),
        new Case(graph("interrupt_after: [a, nobody]"), "unknown_node", "/interrupt_after/1"),
        new Case(graph("input: {schema: {type: 5}}"), "invalid_schema", "/input/schema/type"),
        new Case(graph("context: {mode: peek}"), "invalid_value", "/context/mode"),
        new Case(
            graph("context: {template: 'Hello {{ state.'}"),
            "invalid_expression",
            "/context/template"),
        new Case(
            graph("context: {variables: {a.b: 1, a: {b: 2}}}"),
            "duplicate",
            "/context/variables/a.b"));
  }

  private static Stream<Case> names() {
    return Stream.of(
        new Case(graph("").replace("name: g", "name: Big Graph"), "invalid_name", "/name"),
        new Case(graph("").replace("name: g", "name: 7"), "wrong_type", "/name"),
        new Case(nodes("{id: 1st, type: router}"), "invalid_name", "/nodes/2/id"),
        new Case(nodes("{id: __start__, type: router}"), "reserved_name", "/nodes/2/id"),
        new Case(nodes("{id: __mine, type: router}"), "reserved_name", "/nodes/2/id"),
        new Case(nodes("{id: a, type: router}"), "duplicate", "/nodes/2/id"),
        new Case(edge("id: e, from: a, to: b}\n  - {id: e, from: b, to: a"), "duplicate", "/edges/3/id"),
        new Case(edge("id: __e, from: a, to: b"), "reserved_name", "/edges/2/id"),
        new Case(graph("channels: {no-dash: {}}"), "invalid_name", "/channels/no-dash"),
        new Case(graph("channels: {__secret: {}}"), "reserved_name", "/channels/__secret"));
  }

  private static Stream<Case> channels() {
    return Stream.of(
        new Case(channel("reducer: appendd"), "invalid_value", "/channels/c/reducer"),
        new Case(channel("default: []\n    reduser: sum"), "unknown_field", "/channels/c/reduser"),
        new Case(channel("reducer: expression"), "missing_field", "/channels/c/expression"),
        new Case(channel("expression: left"), "not_applicable", "/channels/c/expression"),
        new Case(
            channel("reducer: expression\n    expression: 'left +'"),
            "invalid_expression",
            "/channels/c/expression"),
        new Case(
            channel("reducer: expression\n    expression: state.c"),
            "invalid_expression",
            "/channels/c/expression"),
        new Case(channel("reducer: function"), "missing_field", "/channels/c/function"),
        new Case(
            channel("reducer: function\n    function: nope"),
            "unknown_function",
            "/channels/c/function"),
        new Case(
            channel("reducer: append\n    on_conflict: error"),
            "not_applicable",
            "/channels/c/on_conflict"),
        new Case(channel("append_only: true"), "not_applicable", "/channels/c/append_only"),
        new Case(
            channel("reducer: sum\n    default: none"), "invalid_default", "/channels/c/default"),
        new Case(
            channel("schema: {type: integer}\n    default: five"),
            "schema_violation",
            "/channels/c/default"),
        new Case(
            channel("reducer: messages\n    mirror_to: full"),
            "unknown_channel",
            "/channels/c/mirror_to"),
        new Case(
            channel("reducer: messages\n    mirror_to: d\n  d: {reducer: block_append}"),
            "invalid_mirror",
            "/channels/c/mirror_to"),
        new Case(
            channel("reducer: append\n    mirror_to: d\n  d: {reducer: append, append_only: true}"),
            "not_applicable",
            "/channels/c/mirror_to"),
        new Case(
            graph("strict_channels: true\noutput: {channels: [c]}"),
            "unknown_channel",
            "/output/channels/0"));
  }

  private static Stream<Case> nodes() {
    return Stream.of(
        new Case(nodes("{id: c}"), "missing_field", "/nodes/2/type"),
        new Case(nodes("{type: router}"), "missing_field", "/nodes/2/id"),
        new Case(nodes("{id: c, type: expresion}"), "unknown_node_type", "/nodes/2/type"),
        new Case(nodes("{id: c, type: router, color: red}"), "unknown_field", "/nodes/2/color"),
        new Case(nodes("{id: c, type: router, config: []}"), "wrong_type", "/nodes/2/config"),
        new Case(nodes("{id: c, type: router, timeout: soon}"), "invalid_duration", "/nodes/2/timeout"),
        new Case(nodes("{id: c, type: router, timeout: 0s}"), "out_of_range", "/nodes/2/timeout"),
        new Case(nodes("{id: c, type: human, timeout: 5m}"), "not_applicable", "/nodes/2/timeout"),
        new Case(nodes("{id: c, type: router, on_error: retry}"), "invalid_value", "/nodes/2/on_error"),
        new Case(nodes("{id: c, type: router, edge_mode: best}"), "invalid_value", "/nodes/2/edge_mode"),
        new Case(
            nodes("{id: c, type: router, max_concurrency: 0}"),
            "out_of_range",
            "/nodes/2/max_concurrency"),
        new Case(
            nodes("{id: c, type: router, retry: {max_attempts: 0}}"),
            "out_of_range",
            "/nodes/2/retry/max_attempts"),
        new Case(
            nodes("{id: c, type: router, retry: {jitter: 2}}"),
            "out_of_range",
            "/nodes/2/retry/jitter"),
        new Case(
            nodes("{id: c, type: router, retry: {retry_on: ['Not a code']}}"),
            "invalid_value",
            "/nodes/2/retry/retry_on/0"),
        new Case(
            nodes("{id: c, type: expression, targets: nobody}"), "unknown_node", "/nodes/2/targets"),
        new Case(
            nodes("{id: c, type: expression, targets: [a, a]}"), "duplicate", "/nodes/2/targets/1"),
        new Case(
            nodes("{id: c, type: expression, if_empty: nobody}"),
            "unknown_node",
            "/nodes/2/if_empty"),
        new Case(
            nodes("{id: c, type: expression, config: {updates: {}}}"),
            "unknown_field",
            "/nodes/2/config/updates"),
        new Case(
            nodes("{id: c, type: expression, config: {update: 5}}"),
            "invalid_config",
            "/nodes/2/config/update"),
        new Case(
            nodes("{id: c, type: expression, config: {update: {x: '{{ state. }}'}}}"),
            "invalid_expression",
            "/nodes/2/config/update/x"));
  }

  private static Stream<Case> edges() {
    return Stream.of(
        new Case(edge("to: b"), "missing_field", "/edges/2/from"),
        new Case(edge("from: a"), "missing_field", "/edges/2/to"),
        new Case(edge("from: a, to: b, route: \"'b'\""), "not_applicable", "/edges/2/to"),
        new Case(edge("from: a, to: c"), "unknown_node", "/edges/2/to"),
        new Case(edge("from: a, to: [b, c]"), "unknown_node", "/edges/2/to/1"),
        new Case(edge("from: c, to: a"), "unknown_node", "/edges/2/from"),
        new Case(edge("from: __end__, to: a"), "invalid_edge", "/edges/2/from"),
        new Case(edge("from: a, to: __start__"), "invalid_edge", "/edges/2/to"),
        new Case(edge("from: a, to: b, type: loop"), "invalid_value", "/edges/2/type"),
        new Case(edge("from: a, to: b, weight: heavy"), "wrong_type", "/edges/2/weight"),
        new Case(edge("from: a, to: b, condition: 'state.x =='"), "invalid_expression", "/edges/2/condition"),
        new Case(edge("from: a, to: b, condition: \"'text'\""), "invalid_expression", "/edges/2/condition"),
        new Case(edge("from: a, to: b, condition: nobody.x"), "invalid_expression", "/edges/2/condition"),
        new Case(edge("from: a, route: 'a +', targets: b"), "invalid_expression", "/edges/2/route"),
        new Case(edge("from: a, to: b, targets: b"), "not_applicable", "/edges/2/targets"),
        new Case(edge("from: a, to: b, if_empty: b"), "not_applicable", "/edges/2/if_empty"),
        new Case(edge("from: a, route: \"'b'\", targets: c"), "unknown_node", "/edges/2/targets"),
        new Case(edge("from: a, route: \"'k'\", route_map: {k: c}"), "unknown_node", "/edges/2/route_map/k"),
        new Case(edge("from: a, to: b, error_codes: http_503"), "not_applicable", "/edges/2/error_codes"),
        new Case(edge("from: a, to: b, error_to: oops"), "not_applicable", "/edges/2/error_to"),
        new Case(edge("from: a, to: b, type: error, error_codes: '5*3'"), "invalid_value", "/edges/2/error_codes"),
        new Case(edge("from: a, to: b, type: error, weight: 2"), "not_applicable", "/edges/2/weight"),
        new Case(edge("from: __start__, to: b, type: error"), "invalid_edge", "/edges/2/type"),
        new Case(
            "name: g\nnodes: [{id: a, type: router}]\nedges: [{from: a, to: __end__}]",
            "no_start_edge",
            "/edges"));
  }

  private static Stream<Case> joins() {
    return Stream.of(
        new Case(edge("from: [a, b], to: a, condition: 'true'"), "invalid_join", "/edges/2/condition"),
        new Case(edge("from: [a, b], route: \"'a'\", targets: a"), "invalid_join", "/edges/2/route"),
        new Case(edge("from: [a, b], to: a, type: error"), "invalid_join", "/edges/2/type"),
        new Case(edge("from: [a, a], to: b"), "duplicate", "/edges/2/from/1"),
        new Case(edge("from: [__start__, a], to: b"), "invalid_join", "/edges/2/from/0"),
        new Case(edge("from: [a, b], to: a, join: some"), "invalid_value", "/edges/2/join"),
        new Case(edge("from: [a, b], to: a, weight: 1"), "not_applicable", "/edges/2/weight"));
  }

  private static Stream<Case> later() {
    return Stream.of(
        new Case(graph("context: {mode: chain}"), "not_supported_yet", "/context/mode"),
        new Case(channel("compaction: {keep_last: 5}"), "not_supported_yet", "/channels/c/compaction"),
        new Case(
            nodes("{id: c, type: router, context_type: isolate}"),
            "not_supported_yet",
            "/nodes/2/context_type"),
        new Case(
            nodes("{id: c, type: router, context_filter: {rules: [{type: include, pattern: a.*}]}}"),
            "not_supported_yet",
            "/nodes/2/context_filter"),
        new Case(
            nodes("{id: c, type: router, processor_config: {x: 1}}"),
            "not_supported_yet",
            "/nodes/2/processor_config"),
        new Case(
            nodes("{id: c, type: router, required_context: [a.*]}"),
            "not_supported_yet",
            "/nodes/2/required_context"),
        new Case(
            edge("from: a, to: b, context_filter: {type: pass_none}"),
            "not_supported_yet",
            "/edges/2/context_filter"),
        new Case(
            edge("from: a, to: b, on_incompatible: skip"),
            "not_supported_yet",
            "/edges/2/on_incompatible"));
  }

  /// A sound graph with further keys.
  static String graph(String more) {
    return text("", "", more);
  }

  /// A sound graph whose channel `c` has these keys.
  static String channel(String keys) {
    return graph("channels:\n  c:\n    " + keys);
  }

  /// A sound graph with further nodes.
  static String nodes(String more) {
    return text("  - " + more + "\n", "", "");
  }

  /// A sound graph with a third edge.
  static String edge(String keys) {
    return text("", "  - {" + keys + "}\n", "");
  }

  private static String text(String nodes, String edges, String more) {
    return """
    name: g
    nodes:
      - {id: a, type: expression}
      - {id: b, type: router}
    %sedges:
      - {from: __start__, to: a}
      - {from: a, to: b}
    %s%s
    """
        .formatted(nodes, edges, more);
  }
}
