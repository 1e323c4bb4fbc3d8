package dev.superstep.node.llm;

import dev.superstep.engine.NodeCall;
import dev.superstep.engine.NodeRunner;
import dev.superstep.engine.Outcome;
import dev.superstep.engine.TaskError;
import dev.superstep.engine.TaskFailedException;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.ModelRequest.Delivery;
import java.util.Optional;

/// Calls a chat model once, or once more to repair a structured answer.
///
/// @param schema of a structured answer
record LlmNode(Prompting prompting, Offering offering, Optional<AnswerSchema> schema, Output output)
    implements NodeRunner {
  /// What [AgentFields#FINISH_REASON] says of a node that did not call because it was its turn once
  /// too often.
  static final String LIMIT_REACHED = "max_iterations";

  @Override
  public Outcome run(NodeCall call) throws InterruptedException {
    var fields = AgentFields.of(call);
    if (output.isAgent(call) && fields.isLimitReached()) {
      return new Outcome.Done(output.limitReached());
    }
    try {
      var prompt = prompting.prompt(call, fields);
      var model = offering.model(call);
      var request =
          new ModelRequest(
              prompt.messages(),
              offering.tools(call, fields),
              schema.map(AnswerSchema::json),
              offering.options(call),
              delivery());
      var answered = Answered.by(it -> offering.ask(call, model, it), request, schema);
      return new Outcome.Done(output.result(call, fields, prompt, answered));
    } catch (ModelException e) {
      return new Outcome.Failed(e.error());
    }
  }

  @Override
  public boolean spends() {
    return true;
  }

  private Delivery delivery() {
    return switch (offering.streaming()) {
      case YES -> new Delivery.Streamed(_ -> {});
      case NO -> new Delivery.Whole();
    };
  }

  /// Fails the task for good.
  static TaskFailedException refuse(String code, String message) {
    return new TaskFailedException(TaskError.permanent(code, message));
  }
}
