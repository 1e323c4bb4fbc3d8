package dev.superstep.fault;

import dev.superstep.graph.Graph;
import dev.superstep.state.Channel;
import dev.superstep.state.Channels;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The graphs of the suite. Every task of a node named `work…` calls the ledger.
final class Shapes {
  static final List<String> ALL = List.of("wide", "loop", "ask", "two-askers", "nap", "family");

  static final int WIDTH = 200;

  /// Of each call: its deadline tells when it began.
  static final Duration TIMEOUT = Duration.ofMinutes(10);

  private static final String CHANNELS =
      """
      channels:
        log: { reducer: block_append }
        calls: { reducer: sum, default: 0 }
        blocks: { reducer: append }
      """;

  private Shapes() {}

  /// What folding needs to know of any of them.
  static Graph folding() {
    return new Graph(
        Channels.of(
            List.of(
                Channel.of("log", new Reducer.BlockAppend()),
                Channel.of("calls", new Reducer.Sum()),
                Channel.of("n", new Reducer.Sum()),
                Channel.of("blocks", new Reducer.Append()))),
        List.of(),
        List.of(),
        Graph.GraphSettings.DEFAULT);
  }

  /// How many runs one of that shape begins.
  static int children(String shape) {
    return shape.equals("family") ? 2 : 0;
  }

  static ListValue items(String shape) {
    var items = ListValue.empty();
    for (int item = 0; item < (shape.equals("wide") ? WIDTH : 2); item++) {
      items = items.plus(Value.of(item));
    }
    return items;
  }

  /// Definitions in YAML, by name.
  static Map<String, String> definitions(String url) {
    var work = work(url);
    var definitions = new LinkedHashMap<String, String>();
    definitions.put(
        "wide",
        """
          - { id: plan, type: expression, config: { dispatch: "{{ fan_out('work', state.items, 'item') }}" }, targets: [work] }
          - { id: work, type: http, max_concurrency: 64, retry: {}, %s }
          - { id: sum_up, type: expression, config: { update: { total: "{{ state.calls }}" } } }
        edges:
          - { from: __start__, to: plan }
          - { from: work, to: sum_up }
        """
            .formatted(work));
    definitions.put(
        "loop",
        """
          - { id: work, type: http, retry: {}, %s }
        edges:
          - { from: __start__, to: work }
          - { from: work, condition: "state.calls < 15", to: work }
        """
            .formatted(work));
    definitions.put(
        "ask",
        """
          - { id: work_before, type: http, retry: {}, %s }
          - { id: review, type: human, config: { payload: { question: go on? } } }
          - { id: work_after, type: http, retry: {}, %s }
        edges:
          - { from: __start__, to: work_before }
          - { from: work_before, to: review }
          - { from: review, to: work_after }
        """
            .formatted(work, work));
    definitions.put("two-askers", twoAskers(work));
    definitions.put("nap", nap(work));
    definitions.put("kid", kid(work));
    definitions.put("family", family(work));
    definitions.replaceAll((name, rest) -> "name: " + name + "\n" + CHANNELS + "nodes:\n" + rest);
    return definitions;
  }

  private static String work(String url) {
    return "timeout: %s, config: { mode: function, url: '%s', state_keys: [calls] }"
        .formatted(TIMEOUT.toSeconds() + "s", url);
  }

  private static String twoAskers(String work) {
    return """
      - { id: left, type: human, config: { payload: { question: left? } } }
      - { id: right, type: human, config: { payload: { question: right? } } }
      - { id: work, type: http, retry: {}, %s }
      - { id: joined, type: expression, config: { update: { both: "{{ [state.left, state.right] }}" } } }
    edges:
      - { from: __start__, to: [left, right, work] }
      - { from: [left, right, work], to: joined }
    """
        .formatted(work);
  }

  /// What the runs of `family` begin.
  private static String kid(String work) {
    return """
      - { id: work, type: http, retry: {}, %s }
      - { id: review, type: human, config: { payload: { question: go on? } } }
      - { id: work_after, type: http, retry: {}, %s }
    edges:
      - { from: __start__, to: work }
      - { from: work, condition: "state.calls < 3", to: work }
      - { from: work, condition: "state.calls >= 3", to: review }
      - { from: review, to: work_after }
    """
        .formatted(work, work);
  }

  /// E41: a task that calls out beside two children.
  private static String family(String work) {
    return """
      - { id: plan, type: expression, config: { dispatch: "{{ fan_out('kid', state.items, 'item') }}" }, targets: [kid] }
      - id: kid
        type: subgraph
        config: { graph: kid, input: { item: "{{ input.item }}" }, output: { update: { blocks: "{{ [response.item, response.calls] }}" } } }
      - { id: work, type: http, retry: {}, %s }
      - { id: sum_up, type: expression, config: { update: { done: "{{ state.?blocks.orValue([]) }}" } } }
    edges:
      - { from: __start__, to: [plan, work] }
      - { from: work, to: sum_up }
      - { from: kid, to: sum_up }
    """
        .formatted(work);
  }

  /// E54: one after another, until enough have succeeded. Releases before do not know its keys.
  static String enough(String url) {
    return "name: enough\n"
        + CHANNELS
        + """
        nodes:
          - id: plan
            type: expression
            config: { dispatch: "{{ fan_out('work', state.items + [2, 3, 4, 5], 'item') }}" }
            targets: [work]
            dispatch_policy: { min_succeeded: 3, max_concurrency: 1 }
          - { id: work, type: http, retry: {}, %s }
          - { id: sum_up, type: expression, config: { update: { done: "{{ outcomes }}" } } }
        edges:
          - { from: __start__, to: plan }
          - { from: work, to: sum_up }
        """
            .formatted(work(url));
  }

  private static String nap(String work) {
    return """
      - { id: short, type: wait, config: { for: 300ms } }
      - { id: work, type: http, retry: {}, %s }
      - { id: long, type: wait, config: { for: 3s } }
      - { id: work_last, type: http, retry: {}, %s }
    edges:
      - { from: __start__, to: [short, work] }
      - { from: [short, work], to: long }
      - { from: long, to: work_last }
    """
        .formatted(work, work);
  }
}
