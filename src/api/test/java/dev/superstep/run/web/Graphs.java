package dev.superstep.run.web;

/// Definitions that the API tests run.
final class Graphs {
  private Graphs() {}

  /// Adds one to `count`, `rounds` times.
  static String counter(String name, int rounds) {
    return """
    name: %s
    channels: { count: { reducer: sum, default: 0 } }
    nodes:
      - { id: add, type: expression, config: { update: { count: 1 } } }
    edges:
      - { from: __start__, to: add }
      - { from: add, condition: "state.count < %d", to: add }
    """
        .formatted(name, rounds);
  }

  /// Asks two people; each answer goes into a channel of its own.
  static String twoQuestions(String name) {
    return """
    name: %s
    nodes:
      - id: first
        type: human
        config:
          payload: { question: "First?" }
          answer_schema: { type: object, required: [approved] }
      - { id: second, type: human, config: { payload: "Second?" } }
    edges:
      - { from: __start__, to: [first, second] }
    """
        .formatted(name);
  }

  /// Asks one person, who may say anything.
  static String question(String name) {
    return """
    name: %s
    nodes:
      - { id: ask, type: human, config: { payload: "Well?", answer_to: said } }
    edges:
      - { from: __start__, to: ask }
    """
        .formatted(name);
  }

  /// Fails until `divisor` is no longer zero.
  static String division(String name) {
    return """
    name: %s
    input: { schema: { type: object, required: [divisor], properties: { divisor: { type: integer } } } }
    nodes:
      - { id: divide, type: expression, config: { update: { result: "{{ 10 / state.divisor }}" } } }
    edges:
      - { from: __start__, to: divide }
    """
        .formatted(name);
  }

  /// Sends every item to a worker.
  static String fanOut(String name) {
    return """
    name: %s
    channels: { found: { reducer: append } }
    nodes:
      - id: plan
        type: expression
        config: { dispatch: "{{ state.items.map(t, {'node': 'work', 'input': {'item': t}}) }}" }
        targets: [work]
      - { id: work, type: expression, config: { update: { found: "{{ input.item }}" } } }
    edges:
      - { from: __start__, to: plan }
    output: { channels: [found] }
    """
        .formatted(name);
  }

  /// Sleeps for an hour.
  static String sleeper(String name) {
    return """
    name: %s
    nodes:
      - { id: sleep, type: wait, config: { for: 1h } }
    edges:
      - { from: __start__, to: sleep }
    """
        .formatted(name);
  }
}
