package dev.superstep.bench;

import dev.superstep.expression.Expressions;
import dev.superstep.expression.TypeCheck.Expected;
import dev.superstep.expression.ValueType;
import dev.superstep.expression.ValueType.ListOf;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueType.Text;
import dev.superstep.expression.ValueTypes;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/// What the check of types adds to posting a definition (at most 1 ms of an expression, warm).
/// Measures the CPU time of the thread, which other work on the machine does not change.
public final class StaticCheckBenchmark {
  private static final int WARM_UP = 2_000;
  private static final int ROUNDS = 2_000;

  private static final List<String> EXPRESSIONS =
      List.of(
          "state.verdict.score > 7",
          "state.sources.filter(s, s.score > 0.5).map(s, s.title.upperAscii()).join(', ')",
          "state.?verdict.label.orValue('none') + ' / ' + string(state.rounds)",
          "state.rounds < 3 && state.verdict.label == 'good' ? 'publish' : 'revise'",
          "fan_out('research', state.topics, 'topic') + [dispatch('plan', {'n': state.rounds})]",
          "state.messages.filter(m, m.role == 'assistant').map(m, m.tool_calls[0].arguments.city)",
          "cel.bind(n, size(state.topics), n * n + state.rounds)",
          "merge(state.verdict, {'topics': state.topics.sortBy(t, t.size()).slice(0, 2)})");

  private static final ValueType STATE =
      ValueTypes.closed(
          Map.of(
              "verdict",
              ValueTypes.closed(
                  Map.of("score", Simple.NUMBER, "label", new Text(List.of("good", "bad")))),
              "sources",
              new ListOf(
                  ValueTypes.closed(Map.of("score", Simple.NUMBER, "title", ValueTypes.STRING))),
              "topics",
              new ListOf(ValueTypes.STRING),
              "messages",
              ValueTypes.LIST,
              "rounds",
              Simple.NUMBER));

  private StaticCheckBenchmark() {}

  public static void main(String[] args) {
    var expressions = new Expressions();
    long first = cpuOf(expressions, 1);
    cpuOf(expressions, WARM_UP);
    long warm = cpuOf(expressions, ROUNDS);
    System.out.printf(
        "static check: %.1f µs CPU of an expression, warm; %.1f µs at the first round%n",
        warm / 1_000.0 / ROUNDS / EXPRESSIONS.size(), first / 1_000.0 / EXPRESSIONS.size());
  }

  private static long cpuOf(Expressions expressions, int rounds) {
    var threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    long found = 0;
    for (int i = 0; i < rounds; i++) {
      for (var it : EXPRESSIONS) {
        found += expressions.inspect(it, Map.of("state", STATE), Expected.VALUE).problems().size();
      }
    }
    if (found > 0) {
      throw new IllegalStateException("the expressions are sound");
    }
    return threads.getCurrentThreadCpuTime() - before;
  }
}
