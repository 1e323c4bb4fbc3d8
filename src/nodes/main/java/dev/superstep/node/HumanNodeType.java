package dev.superstep.node;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.state.Change;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Asks a person and makes something of the answer.
final class HumanNodeType extends ConfiguredNodeType {
  private static final String ANSWER_TO = "answer_to";

  HumanNodeType(Expressions expressions) {
    super("human", expressions);
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    var result =
        ResultTemplate.insteadOf(ANSWER_TO, config)
            .orElseGet(() -> ResultTemplate.updating(checked(config)));
    var answers = config.schema("answer_schema");
    var question =
        new HumanNode.HumanQuestion(
            config.template("payload"), config.find("answer_schema"), answers);
    var deadline = AnswerDeadline.of(config, answers);
    var mayAnswer = config.mayAnswer();
    var addressees = QuestionAddressees.of(config);
    return () -> new HumanNode(result, question, deadline, mayAnswer, addressees);
  }

  /// An id may have a hyphen or be longer than a channel's name; then `answer_to` is required.
  private static String checked(NodeConfig config) {
    var channel = channel(config.node());
    config.checkChannel(channel, ANSWER_TO, "say which takes the answer", "channel '%s'");
    return channel;
  }

  private static String channel(Node node) {
    return node.config().findText(ANSWER_TO).orElse(node.id().value());
  }

  @Override
  public Optional<Duration> defaultTimeout() {
    return Optional.empty();
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    return node.config().has(ResultTemplate.KEY)
        ? super.writes(node, graph)
        : WrittenChannels.named(channel(node));
  }

  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    AnswerDeadline.advise(node.config(), at);
  }

  @Override
  public boolean makesAttempts() {
    return false;
  }

  /// Raises an interrupt for a person and makes its result from the answer.
  private record HumanNode(
      ResultTemplate result,
      HumanQuestion question,
      Optional<AnswerDeadline> deadline,
      MayAnswer mayAnswer,
      QuestionAddressees addressees)
      implements NodeRunner {
    static final String REASON = "human_input";

    /// @param answers what an answer must satisfy
    record HumanQuestion(Expression payload, Optional<Value> schema, ValueCheck answers) {}

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
              Change.NONE,
              null,
              List.of(),
              ObjectValue.empty(),
              questionText(call),
              HistoryText.of(answer));
      return result.added(own, call, answer);
    }

    /// The question as it was asked, unless what it was made of has been edited away meanwhile:
    /// then the answer counts all the same.
    private String questionText(NodeCall call) {
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
          deadline.map(it -> it.expiry(call, question.answers())),
          mayAnswer,
          addressees.evaluate(call));
    }

    @Override
    public boolean pure() {
      return true;
    }
  }
}
