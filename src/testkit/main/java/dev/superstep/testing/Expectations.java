package dev.superstep.testing;

import dev.superstep.definition.Compiled;
import dev.superstep.definition.read.Expectation;
import dev.superstep.definition.read.Expectation.Content;
import dev.superstep.definition.read.PathStep;
import dev.superstep.definition.read.TestCase;
import dev.superstep.definition.read.TestReport.TestFailure;
import dev.superstep.engine.run.RunError;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Pointer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.testing.GraphTestRun.End.AtRest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Compares a run with what its test expects.
final class Expectations {
  private final String pointer;
  private final Expectation expected;
  private final AtRest end;
  private final Ledger ledger;
  private final List<String> outputChannels;
  private final List<TestFailure> failures = new ArrayList<>();

  private Expectations(TestCase test, AtRest end, Ledger ledger, List<String> outputChannels) {
    this.pointer = test.pointer() + "/expect";
    this.expected = test.expectation();
    this.end = end;
    this.ledger = ledger;
    this.outputChannels = outputChannels;
  }

  /// @param outputChannels what the output is made of; empty: the state
  static List<TestFailure> check(
      TestCase test, AtRest end, Ledger ledger, List<String> outputChannels) {
    var expectations = new Expectations(test, end, ledger, outputChannels);
    expectations.check();
    return List.copyOf(expectations.failures);
  }

  private void check() {
    status();
    expected.path().ifPresent(this::path);
    calls();
    expected.error().ifPresent(this::error);
    expected.output().ifPresent(it -> content("output", it, output()));
    expected.state().ifPresent(it -> content("state", it, end.state()));
  }

  private void status() {
    if (end.status() != expected.status()) {
      var said =
          end.error().map(it -> ": %s%s".formatted(code(it), it.error().message())).orElse("");
      fail(
          "/status",
          "the run is %s%s".formatted(word(end.status()), said),
          Optional.of(end.superstep() + (end.error().isPresent() ? 1 : 0)),
          Value.of(word(expected.status())),
          Value.of(word(end.status())));
    }
  }

  private static String code(RunError error) {
    var task = error.task().map(it -> " in node '%s'".formatted(it.node())).orElse("");
    return "%s%s: ".formatted(error.error().code(), task);
  }

  private static String word(Enum<?> status) {
    return status.name().toLowerCase(Locale.ROOT);
  }

  /// The first superstep at which the run went another way.
  private void path(List<PathStep> steps) {
    var path = ledger.path();
    for (int i = 0; i < Math.max(steps.size(), path.size()); i++) {
      if (i >= path.size()) {
        var wanted = steps.get(i).written();
        different(i, "should run %s; the run was over".formatted(words(wanted)), wanted, List.of());
        return;
      }
      var actual = PathStep.written(path.get(i));
      if (i >= steps.size()) {
        different(i, "runs %s; no more was expected".formatted(words(actual)), List.of(), actual);
        return;
      }
      if (!steps.get(i).matches(path.get(i))) {
        var wanted = steps.get(i).written();
        different(
            i,
            "should run %s, and runs %s".formatted(words(wanted), words(actual)),
            wanted,
            actual);
        return;
      }
    }
  }

  private static String words(List<String> nodes) {
    return String.join(", ", nodes);
  }

  private void different(int index, String message, List<String> wanted, List<String> actual) {
    var at = index < expected.path().orElse(List.of()).size() ? "/path/" + index : "/path";
    fail(
        at,
        "superstep %d %s".formatted(index + 1, message),
        Optional.of(index + 1),
        shown(wanted),
        shown(actual));
  }

  private static Value shown(List<String> nodes) {
    return switch (nodes.size()) {
      case 0 -> Value.NULL;
      case 1 -> Value.of(nodes.getFirst());
      default -> ListValue.texts(nodes.toArray(String[]::new));
    };
  }

  private void calls() {
    var calls = ledger.calls();
    new TreeMap<>(expected.calls())
        .forEach((node, count) -> {
          long actual = calls.getOrDefault(node, 0);
          if (actual != count) {
            fail(
                Pointer.child("/calls", node),
                "'%s' is called %d time(s), expected are %d".formatted(node, actual, count),
                Optional.empty(),
                Value.of(count),
                Value.of(actual));
          }
        });
  }

  private void error(Expectation.ExpectedError wanted) {
    end.error()
        .ifPresent(it -> {
          var error = it.error();
          if (!wanted.hasCode(error.code())) {
            fail(
                "/error/code",
                "the run failed with %s%s".formatted(code(it), error.message()),
                Optional.of(end.superstep() + 1),
                Value.of(wanted.code()),
                Value.of(error.code()));
          } else if (!error.message().contains(wanted.message())) {
            fail(
                "/error/message",
                "the message of the error is: " + error.message(),
                Optional.of(end.superstep() + 1),
                Value.of(wanted.message()),
                Value.of(error.message()));
          }
        });
  }

  private ObjectValue output() {
    return Compiled.output(outputChannels, end.state());
  }

  private void content(String key, Content content, ObjectValue actual) {
    switch (content) {
      case Content.ExpectedMembers(var members) ->
          MemberMatch.differences(members, actual)
              .forEach(it ->
                  failures.add(
                      new TestFailure(
                          pointer + "/" + key + it.pointer(),
                          "%s%s %s".formatted(key, it.pointer(), it.message()),
                          Optional.of(end.superstep()),
                          Optional.of(it.expected()),
                          it.actual())));
      case Content.Conditions(var all) -> all.forEach(it -> condition(key, it, actual));
    }
  }

  private void condition(String key, Expectation.Check check, ObjectValue actual) {
    var variables = Map.of("output", output(), "state", end.state());
    var at = "/" + key + check.pointer();
    try {
      if (!check.condition().test(name -> variables.getOrDefault(name, ObjectValue.empty()))) {
        fail(
            at,
            "%s is not true".formatted(check.source()),
            Optional.of(end.superstep()),
            Value.of(check.source()),
            actual);
      }
    } catch (ExpressionException e) {
      fail(
          at,
          "%s cannot be evaluated: %s".formatted(check.source(), e.getMessage()),
          Optional.of(end.superstep()),
          Value.of(check.source()),
          actual);
    }
  }

  private void fail(
      String at, String message, Optional<Integer> superstep, Value wanted, Value actual) {
    failures.add(
        new TestFailure(
            pointer + at, message, superstep, Optional.of(wanted), Optional.of(actual)));
  }
}
