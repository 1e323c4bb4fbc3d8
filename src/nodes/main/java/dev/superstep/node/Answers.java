package dev.superstep.node;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.model.ModelRequest;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.Set;

/// What a test gives nodes in place of what they would get from outside.
public interface Answers {

  /// The answer to a call of the node.
  ///
  /// @throws TaskFailedException if the test lets the call fail, or has no answer to it
  Value of(NodeCall call);

  /// The answer of the model that a node asks.
  ///
  /// @param model the name that the node gives; empty: it gives none
  /// @throws TaskFailedException as [#of]
  default Value ofModel(NodeCall call, Optional<String> model, ModelRequest request) {
    return of(call);
  }

  /// The answer of a tool.
  ///
  /// @throws ToolAnswerException if the test lets the call fail
  /// @throws TaskFailedException if the test has no answer to it
  Value ofTool(NodeCall call, String tool, ObjectValue arguments) throws ToolAnswerException;

  /// The tools that the test answers for.
  Set<String> tools();

  /// A call of a tool that fails, in the words that the model gets.
  final class ToolAnswerException extends Exception {
    private static final long serialVersionUID = 1L;

    public ToolAnswerException(String message) {
      super(message);
    }
  }
}
