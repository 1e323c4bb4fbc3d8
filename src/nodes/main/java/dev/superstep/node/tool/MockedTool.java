package dev.superstep.node.tool;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.node.Answers;
import dev.superstep.node.Answers.ToolAnswerException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;

/// A tool that a test answers for.
///
/// @param task that calls it
record MockedTool(Description description, NodeCall task, Answers answers) implements Tool {

  /// One for each tool there is, so that a call of one without an answer is noticed, and one for
  /// each that the test knows.
  static List<Tool> all(Tools tools, NodeCall task, Answers answers) {
    var all = new ArrayList<Tool>();
    tools.all().forEach(it -> all.add(new MockedTool(it.description(), task, answers)));
    for (var name : answers.tools()) {
      if (tools.find(name).isEmpty()) {
        var description =
            new Description(name, "", ObjectValue.empty(), Execution.IDEMPOTENT, "mock");
        all.add(new MockedTool(description, task, answers));
      }
    }
    return all;
  }

  @Override
  public Outcome call(Invocation invocation) {
    try {
      return switch (answers.ofTool(task, description.name(), invocation.arguments())) {
        case Value.Text(var text) -> new Outcome.Answered(text);
        case Value other -> new Outcome.Answered(Canonical.text(other));
      };
    } catch (ToolAnswerException e) {
      return new Outcome.Erred(String.valueOf(e.getMessage()));
    }
  }
}
