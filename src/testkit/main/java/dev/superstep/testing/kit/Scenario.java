package dev.superstep.testing.kit;

import dev.superstep.definition.Suggestion;
import dev.superstep.definition.read.Series;
import dev.superstep.definition.read.Series.SeriesUse;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.testing.VirtualClock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// What a test gives a run: what it finds, and what it gets from outside.
///
/// @param nodes by id
/// @param models by name
/// @param tools by name
/// @param answers of people, by node
/// @param thread the state that its thread has
record Scenario(
    Map<String, Series<Fake>> nodes,
    Map<String, Series<Fake>> models,
    Map<String, Series<Fake>> tools,
    Map<String, Series<Value>> answers,
    ObjectValue thread,
    ObjectValue params,
    Instant begin) {
  static final Scenario NOTHING =
      new Scenario(
          Map.of(),
          Map.of(),
          Map.of(),
          Map.of(),
          ObjectValue.empty(),
          ObjectValue.empty(),
          VirtualClock.BEGIN);

  Scenario {
    nodes = Map.copyOf(nodes);
    models = Map.copyOf(models);
    tools = Map.copyOf(tools);
    answers = Map.copyOf(answers);
  }

  /// One result is given to every call, several are given call by call.
  static <T> Series<T> series(List<T> results) {
    if (results.isEmpty()) {
      throw new IllegalArgumentException("say what is answered");
    }
    return new Series<>(results, results.size() == 1 ? SeriesUse.EVERY_CALL : SeriesUse.ONCE_EACH);
  }

  static <T> Map<String, T> plus(Map<String, T> map, String name, T value) {
    var all = new HashMap<>(map);
    all.put(name, value);
    return all;
  }

  Scenario withNode(String id, Series<Fake> fakes) {
    return new Scenario(plus(nodes, id, fakes), models, tools, answers, thread, params, begin);
  }

  Scenario withModel(String name, Series<Fake> fakes) {
    return new Scenario(nodes, plus(models, name, fakes), tools, answers, thread, params, begin);
  }

  Scenario withTool(String name, Series<Fake> fakes) {
    return new Scenario(nodes, models, plus(tools, name, fakes), answers, thread, params, begin);
  }

  Scenario withAnswers(String node, Series<Value> given) {
    return new Scenario(nodes, models, tools, plus(answers, node, given), thread, params, begin);
  }

  Scenario withThread(ObjectValue state) {
    return new Scenario(nodes, models, tools, answers, state, params, begin);
  }

  Scenario withParam(String name, Value value) {
    return new Scenario(nodes, models, tools, answers, thread, params.plus(name, value), begin);
  }

  Scenario beginningAt(Instant at) {
    return new Scenario(nodes, models, tools, answers, thread, params, at);
  }

  /// @throws IllegalArgumentException if it speaks for a node that the graph does not have
  void check(Set<String> ids) {
    Stream.concat(nodes.keySet().stream(), answers.keySet().stream())
        .filter(it -> !ids.contains(it))
        .sorted()
        .findFirst()
        .ifPresent(it -> {
          throw new IllegalArgumentException(
              "the graph has no node '%s'%s".formatted(it, Suggestion.among(ids, it)));
        });
  }
}
