package dev.superstep.langgraph;

/// Definitions that the tests of the face run.
public final class FaceGraphs {
  private FaceGraphs() {}

  /// Answers every message with a text of its own.
  public static String chat(String name) {
    return """
    name: %s
    channels:
      messages: { reducer: messages, default: [] }
      turns: { reducer: sum, default: 0 }
    nodes:
      - id: answer
        type: expression
        config:
          update:
            turns: 1
            messages: "{{ [{'role': 'assistant', 'content': 'answer to ' + state.messages[size(state.messages) - 1].content}] }}"
    edges:
      - { from: __start__, to: answer }
    """
        .formatted(name);
  }

  /// Asks one person, who may say anything, behind a node that runs first.
  public static String question(String name) {
    return """
    name: %s
    nodes:
      - { id: plan, type: expression, config: { update: { plan: "go" } } }
      - { id: ask, type: human, config: { payload: { question: "Well?" }, answer_to: said } }
    edges:
      - { from: __start__, to: plan }
      - { from: plan, to: ask }
    """
        .formatted(name);
  }

  /// Fails in its second superstep.
  public static String division(String name) {
    return """
    name: %s
    nodes:
      - { id: begin, type: expression, config: { update: { begun: true } } }
      - { id: divide, type: expression, config: { update: { result: "{{ 10 / state.divisor }}" } } }
    edges:
      - { from: __start__, to: begin }
      - { from: begin, to: divide }
    """
        .formatted(name);
  }
}
