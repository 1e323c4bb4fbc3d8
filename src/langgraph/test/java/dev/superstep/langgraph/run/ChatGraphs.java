package dev.superstep.langgraph.run;

/// Graphs that talk without a model.
final class ChatGraphs {
  /// Repeats the last message.
  static final String ECHO =
      """
      name: lg-echo
      channels: { messages: { reducer: messages } }
      nodes:
        - id: echo
          type: expression
          config:
            update:
              messages: [{ role: assistant, content: "You said {{ state.messages[size(state.messages) - 1].content }}" }]
      edges:
        - { from: __start__, to: echo }
      """;

  /// Counts, asks, counts.
  static final String ASKS =
      """
      name: lg-asks
      channels: { log: { reducer: append } }
      nodes:
        - { id: before, type: expression, config: { update: { log: ["before"] } } }
        - { id: ask, type: human, config: { payload: { question: "Well?" } } }
        - { id: after, type: expression, config: { update: { log: ["{{ state.ask.word }}"] } } }
      edges:
        - { from: __start__, to: before }
        - { from: before, to: ask }
        - { from: ask, to: after }
      """;

  /// Asks two people at once.
  static final String TWO =
      """
      name: lg-two
      nodes:
        - { id: left, type: human, config: { payload: "left?" } }
        - { id: right, type: human, config: { payload: "right?" } }
      edges:
        - { from: __start__, to: left }
        - { from: __start__, to: right }
      """;

  /// Fails.
  static final String FAILS =
      """
      name: lg-fails
      nodes:
        - { id: breaks, type: expression, config: { update: { n: "{{ 1 / 0 }}" } } }
      edges:
        - { from: __start__, to: breaks }
      """;

  /// Does not end for a while.
  static final String LONG =
      """
      name: lg-long
      channels: { n: { reducer: sum } }
      limits: { max_supersteps: 100000 }
      nodes:
        - { id: count, type: expression, config: { update: { n: 1 } } }
        - { id: rest, type: wait, config: { for: 10m } }
      edges:
        - { from: __start__, to: count }
        - { from: count, route: "state.n < 90000 ? 'count' : 'rest'", targets: [count, rest] }
      """;

  /// Does nothing for a while: a stream of it falls behind nothing.
  static final String RESTS =
      """
      name: lg-rests
      nodes:
        - { id: rest, type: wait, config: { for: 10m } }
      edges:
        - { from: __start__, to: rest }
      """;

  /// Asks for two calls of a tool, of which one fails, and has the answers at once.
  static final String CALLS =
      """
      name: lg-calls
      channels: { messages: { reducer: messages } }
      nodes:
        - id: plan
          type: expression
          config:
            update:
              messages:
                - role: assistant
                  content: ""
                  tool_calls:
                    - { id: c1, name: look, arguments: { at: "sky" } }
                    - { id: c2, name: look, arguments: { at: "sun" } }
        - id: act
          type: expression
          config:
            update:
              messages:
                - { role: tool, tool_call_id: c1, name: look, content: "blue" }
                - { role: tool, tool_call_id: c2, name: look, content: "too bright", is_error: true }
      edges:
        - { from: __start__, to: plan }
        - { from: plan, to: act }
      """;

  private ChatGraphs() {}
}
