package dev.superstep.testing;

import dev.superstep.definition.read.MockResult;
import dev.superstep.definition.read.Series;
import dev.superstep.definition.read.TestCase;
import dev.superstep.definition.read.TestReport.TestFailure;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Node;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Scope;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What a test gives, call by call. Calls come one after the other, perhaps on several threads.
final class ScriptedAnswers implements TestAnswers {
  private static final String MODELS = "models";

  private final TestCase test;
  private final Map<String, Integer> given = new HashMap<>();
  private Optional<TestFailure> missing = Optional.empty();

  ScriptedAnswers(TestCase test) {
    this.test = test;
  }

  @Override
  public synchronized Value of(NodeCall call) {
    var node = call.task().key().node().value();
    var mocks = Optional.ofNullable(test.mocks().get(node));
    if (mocks.isPresent()) {
      return result(call, call, mocks.get(), pointer("mocks", node), node);
    }
    if (call.task().node().type().equals("llm") && test.models().isPresent()) {
      return result(call, call, test.models().get(), test.pointer() + "/" + MODELS, node);
    }
    throw missing(
        call,
        test.pointer() + "/mocks",
        "node '%s' (%s) would call out, which tests do not: say in mocks what it gets, '%s: …'"
            .formatted(node, call.task().node().type(), node));
  }

  @Override
  public synchronized Value ofTool(NodeCall call, String tool, ObjectValue arguments)
      throws ToolAnswerException {
    var node = call.task().key().node().value();
    var mocks = Optional.ofNullable(test.tools().get(tool));
    if (mocks.isEmpty()) {
      throw missing(
          call,
          test.pointer() + "/tools",
          "node '%s' would call the tool '%s', which tests do not: say in tools what it answers, '%s: …'"
              .formatted(node, tool, tool));
    }
    var scope = call.with("input", arguments);
    try {
      return result(call, scope, mocks.get(), pointer("tools", tool), tool);
    } catch (TaskFailedException e) {
      if (missing.isPresent()) {
        throw e;
      }
      throw new ToolAnswerException(e.error().message());
    }
  }

  @Override
  public Set<String> tools() {
    return test.tools().keySet();
  }

  @Override
  public boolean replaces(Node node) {
    return test.mocks().containsKey(node.id().value());
  }

  /// Definitions come from anybody: no code of theirs runs but what computes.
  @Override
  public boolean runs(Node node) {
    return false;
  }

  /// What people answer to the next question of a node.
  Optional<Value> person(String node) {
    var answers = test.answers().get(node);
    return answers == null ? Optional.empty() : answers.at(next(pointer("answers", node)));
  }

  /// What the test lacks, if a call has failed for that.
  synchronized Optional<TestFailure> missing() {
    return missing;
  }

  private String pointer(String key, String name) {
    return Pointer.child(test.pointer() + "/" + key, name);
  }

  private int next(String pointer) {
    return given.merge(pointer, 1, Integer::sum) - 1;
  }

  private Value result(
      NodeCall call, Scope scope, Series<MockResult> series, String pointer, String name) {
    int index = next(pointer);
    var found = series.at(index);
    if (found.isEmpty()) {
      throw missing(
          call,
          pointer,
          "'%s' is called for the %s time, and the list has %d result(s): add another"
              .formatted(name, ordinal(index + 1), index));
    }
    return switch (found.get()) {
      case MockResult.Failing(var error) -> throw new TaskFailedException(error);
      case MockResult.GivenResult(var template) -> {
        try {
          yield template.render(scope);
        } catch (ExpressionException e) {
          throw missing(
              call, pointer, "the mock cannot be evaluated: %s".formatted(e.getMessage()));
        }
      }
    };
  }

  private static String ordinal(int number) {
    var suffix =
        switch (number % 100) {
          case 11, 12, 13 -> "th";
          default ->
              switch (number % 10) {
                case 1 -> "st";
                case 2 -> "nd";
                case 3 -> "rd";
                default -> "th";
              };
        };
    return number + suffix;
  }

  /// Ends the test: whatever the graph does about the failure, it tells nothing.
  private TaskFailedException missing(NodeCall call, String pointer, String message) {
    if (missing.isEmpty()) {
      missing =
          Optional.of(
              new TestFailure(
                  pointer,
                  message,
                  Optional.of(call.task().key().superstep()),
                  Optional.empty(),
                  Optional.empty()));
    }
    return new TaskFailedException(TaskError.permanent("not_mocked", message));
  }
}
