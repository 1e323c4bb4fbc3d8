package dev.superstep.node.human;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.task.InterruptRequest;
import dev.superstep.engine.task.NodeResult;
import dev.superstep.expression.Expression;
import dev.superstep.graph.ExpressionException;
import dev.superstep.node.AnswerDeadline;
import dev.superstep.node.HistoryText;
import dev.superstep.node.ResultTemplate;
import dev.superstep.state.Change;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// Raises an interrupt for a person and makes its result from the answer.
record HumanNode(ResultTemplate result, Question question, Optional<AnswerDeadline> deadline)
    implements NodeRunner {
  static final String REASON = "human_input";

  /// @param answers what an answer must satisfy
  record Question(Expression payload, Optional<Value> schema, ValueCheck answers) {}

  @Override
  public Outcome run(NodeCall call) {
    return call.resume()
        .<Outcome>map(it -> new Outcome.Done(answered(call, it.answer())))
        .orElseGet(() -> new Outcome.Interrupted(ask(call)));
  }

  /// The history entry holds question and answer (P2).
  private NodeResult answered(NodeCall call, Value answer) {
    var own =
        new NodeResult(
            Change.NONE, null, List.of(), ObjectValue.empty(), asked(call), HistoryText.of(answer));
    return result.added(own, call, answer);
  }

  /// The question as it was asked, unless what it was made of has been edited away meanwhile: then
  /// the answer counts all the same.
  private String asked(NodeCall call) {
    try {
      return HistoryText.of(question.payload().evaluate(call));
    } catch (ExpressionException _) {
      return "";
    }
  }

  private InterruptRequest ask(NodeCall call) {
    return new InterruptRequest(
        REASON,
        question.payload().evaluate(call),
        Change.NONE,
        question.schema(),
        deadline.map(it -> it.expiry(call, question.answers())));
  }

  @Override
  public boolean pure() {
    return true;
  }
}
