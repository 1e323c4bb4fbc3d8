package dev.superstep.testing.kit;

import dev.superstep.definition.read.Series;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.Node;
import dev.superstep.model.ModelRequest;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeException;
import dev.superstep.node.PlainData;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.testing.TestAnswers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a scenario gives, call by call. Calls come one after the other.
final class ScenarioAnswers implements TestAnswers {
  private static final String DEFAULT_MODEL = "default";

  private final Scenario scenario;
  private final Map<String, Integer> given = new HashMap<>();
  private final Map<String, List<List<ObjectValue>>> prompts = new HashMap<>();
  private Optional<AssertionError> broken = Optional.empty();

  ScenarioAnswers(Scenario scenario) {
    this.scenario = scenario;
  }

  @Override
  public boolean replaces(Node node) {
    return scenario.nodes().containsKey(node.id().value());
  }

  /// Functions are what is tested.
  @Override
  public boolean runs(Node node) {
    return node.type().equals("function") && !replaces(node);
  }

  @Override
  public Value of(NodeCall call) {
    var id = id(call);
    var series = scenario.nodes().get(id);
    if (series == null) {
      throw fail(
          "node '%s' (%s) would call out: say what it gets, node(\"%s\", …)"
              .formatted(id, call.task().node().type(), id));
    }
    return reply(series, "node '%s'".formatted(id), FakeCall.of(call, List.of()));
  }

  @Override
  public Value ofModel(NodeCall call, Optional<String> model, ModelRequest request) {
    var id = id(call);
    var asked = FakeCall.of(call, request.messages());
    prompts.computeIfAbsent(id, _ -> new ArrayList<>()).add(asked.messages());
    var own = scenario.nodes().get(id);
    if (own != null) {
      return reply(own, "node '%s'".formatted(id), asked);
    }
    var name = model.orElseGet(this::standardModel);
    var series = scenario.models().get(name);
    if (series == null) {
      throw fail(
          "node '%s' asks the model '%s': say what it answers, model(\"%s\", …) or node(\"%s\", …)"
              .formatted(id, name, name, id));
    }
    return reply(series, "the model '%s'".formatted(name), asked);
  }

  /// As on a server, the only model is the default.
  private String standardModel() {
    var names = scenario.models().keySet();
    return names.size() == 1 ? names.iterator().next() : DEFAULT_MODEL;
  }

  @Override
  public Value ofTool(NodeCall call, String tool, ObjectValue arguments)
      throws ToolAnswerException {
    var series = scenario.tools().get(tool);
    if (series == null) {
      throw fail(
          "node '%s' would call the tool '%s': say what it answers, tool(\"%s\", …)"
              .formatted(id(call), tool, tool));
    }
    try {
      return reply(
          series, "the tool '%s'".formatted(tool), FakeCall.of(call, List.of()).with(arguments));
    } catch (TaskFailedException e) {
      if (broken.isPresent()) {
        throw e;
      }
      throw new ToolAnswerException(e.error().message());
    }
  }

  @Override
  public Set<String> tools() {
    return scenario.tools().keySet();
  }

  /// What people answer to the next question of a node.
  Optional<Value> person(String node) {
    return Optional.ofNullable(scenario.answers().get(node))
        .flatMap(it -> it.at(next("people, " + node)));
  }

  /// The prompts of a node's calls of models.
  List<List<ObjectValue>> prompts(String node) {
    return List.copyOf(prompts.getOrDefault(node, List.of()));
  }

  /// @throws AssertionError if the test lacks an answer, or a fake has thrown one
  void check() {
    broken.ifPresent(it -> {
      throw it;
    });
  }

  /// Ends the run: whatever the graph does about the failure, it tells nothing.
  TaskFailedException fail(String message) {
    return fail(new AssertionError(message));
  }

  private TaskFailedException fail(AssertionError error) {
    broken = broken.or(() -> Optional.of(error));
    return new TaskFailedException(
        TaskError.permanent("not_mocked", String.valueOf(error.getMessage())));
  }

  private static String id(NodeCall call) {
    return call.task().node().id().value();
  }

  private int next(String name) {
    return given.merge(name, 1, Integer::sum) - 1;
  }

  private Value reply(Series<Fake> series, String name, FakeCall call) {
    int index = next(name);
    var fake = series.at(index);
    if (fake.isEmpty()) {
      throw fail(
          "%s is called %d times, and has %d answers: give another"
              .formatted(name, index + 1, index));
    }
    try {
      return value(fake.get().answer(call));
    } catch (NodeException e) {
      throw new TaskFailedException(e.error());
    } catch (AssertionError e) {
      throw fail(e);
    }
  }

  private static Value value(@Nullable Object answer) {
    return switch (answer) {
      case NodeException e -> throw e;
      case FunctionResult result -> result.json();
      case null, default -> PlainData.toValue(answer);
    };
  }
}
