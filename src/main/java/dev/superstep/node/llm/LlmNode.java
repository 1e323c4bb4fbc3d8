package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.task.NodeResult;
import dev.superstep.engine.task.TaskError;
import dev.superstep.engine.task.TaskFailedException;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.state.ListCompaction;
import java.util.Optional;

/// Calls a chat model once, or once more to repair a structured answer.
///
/// @param schema of a structured answer
/// @param shortening of a conversation that is too long for the model
record LlmNode(
    PromptBuilder prompting,
    RequestOptions offering,
    Optional<AnswerSchema> schema,
    AnswerMapping output,
    OverflowRecovery shortening)
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
      return new Outcome.Done(ask(call, fields, Optional.empty()));
    } catch (ModelException e) {
      var cut = shortening.cut(call, e);
      return cut.isPresent() ? again(call, fields, cut) : new Outcome.Failed(e.error());
    }
  }

  private Outcome again(NodeCall call, AgentFields fields, Optional<ListCompaction> cut)
      throws InterruptedException {
    try {
      return new Outcome.Done(ask(call, fields, cut));
    } catch (ModelException e) {
      return new Outcome.Failed(e.error());
    }
  }

  private NodeResult ask(NodeCall call, AgentFields fields, Optional<ListCompaction> cut)
      throws ModelException, InterruptedException {
    var prompt = prompting.prompt(call, fields, cut);
    var model = offering.model(call);
    var request =
        new ModelRequest(
            prompt.messages(),
            offering.tools(call, fields),
            schema.map(AnswerSchema::json),
            offering.options(call),
            delivery(call));
    var usableAnswer = UsableAnswer.by(it -> offering.ask(call, model, it), request, schema);
    var result = output.result(call, fields, prompt, usableAnswer);
    return cut.map(it -> OverflowRecovery.with(result, it)).orElse(result);
  }

  @Override
  public boolean spends() {
    return true;
  }

  private Delivery delivery(NodeCall call) {
    boolean streamed =
        switch (offering.streaming()) {
          case ALWAYS -> true;
          case NEVER -> false;
          case WATCHED -> call.watchers().hasSubscribers();
        };
    return streamed ? new Delivery.Streamed(() -> new TextStream(call)) : new Delivery.Whole();
  }

  /// Fails the task for good.
  static TaskFailedException refuse(String code, String message) {
    return new TaskFailedException(TaskError.permanent(code, message));
  }
}
