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
      edges:
        - { from: __start__, to: count }
        - { from: count, to: count, condition: "state.n < 90000" }
      """;

  private ChatGraphs() {}
}
