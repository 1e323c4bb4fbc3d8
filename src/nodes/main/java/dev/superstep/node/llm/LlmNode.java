package dev.superstep.node.llm;

import dev.superstep.engine.node.LiveText;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.node.Answers;
import dev.superstep.node.EmittedEvents;
import dev.superstep.node.MockableNode;
import dev.superstep.state.ListCompaction;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Calls a chat model once, or once more to repair a structured answer.
///
/// @param schema of a structured answer
/// @param overflowRecovery for a conversation that is too long for the model
record LlmNode(
    PromptBuilder promptBuilder,
    RequestOptions requestOptions,
    Optional<AnswerSchema> schema,
    AnswerMapping answerMapping,
    OverflowRecovery overflowRecovery)
    implements MockableNode {
  @Override
  public Outcome run(NodeCall call) throws InterruptedException {
    var fields = AgentFields.of(call);
    if (answerMapping.isAgent(call) && fields.isLimitReached()) {
      return new Outcome.Done(answerMapping.limitReached());
    }
    var events = new EmittedEvents(call);
    var attempt = new LlmAttempt(call, fields, events);
    return events.before(outcome(attempt));
  }

  /// @param events of the attempt
  private record LlmAttempt(NodeCall call, AgentFields fields, EmittedEvents events) {}

  private Outcome outcome(LlmAttempt attempt) throws InterruptedException {
    try {
      return new Outcome.Done(ask(attempt, Optional.empty()));
    } catch (ModelException e) {
      var compaction = overflowRecovery.compaction(attempt.call(), e);
      return compaction.isPresent() ? again(attempt, compaction) : new Outcome.Failed(e.error());
    }
  }

  private Outcome again(LlmAttempt attempt, Optional<ListCompaction> compaction)
      throws InterruptedException {
    try {
      return new Outcome.Done(ask(attempt, compaction));
    } catch (ModelException e) {
      return new Outcome.Failed(e.error());
    }
  }

  private NodeResult ask(LlmAttempt attempt, Optional<ListCompaction> compaction)
      throws ModelException, InterruptedException {
    var call = attempt.call();
    var fields = attempt.fields();
    var prompt = promptBuilder.prompt(call, fields, compaction);
    var asking = requestOptions.asking(call, attempt.events());
    var tools = requestOptions.tools(call, fields);
    var request =
        new ModelRequest(
                prompt.messages(),
                tools,
                schema.map(AnswerSchema::json),
                requestOptions.options(call),
                delivery(call))
            .lasting(requestOptions.lasting(call, prompt, tools));
    var usableAnswer = UsableAnswer.by(asking, request, schema);
    var result = answerMapping.result(call, fields, prompt, usableAnswer);
    return compaction.map(it -> OverflowRecovery.with(result, it)).orElse(result);
  }

  /// A conversation that is too long is not compacted: that might ask a model.
  @Override
  public NodeRunner answeredBy(Answers answers) {
    return new LlmNode(
        promptBuilder,
        requestOptions.answeredBy(answers),
        schema,
        answerMapping,
        new OverflowRecovery(Optional.empty()));
  }

  @Override
  public boolean spends() {
    return true;
  }

  private Delivery delivery(NodeCall call) {
    boolean streamed =
        switch (requestOptions.streaming()) {
          case ALWAYS -> true;
          case NEVER -> false;
          case WATCHED -> call.watchers().hasSubscribers();
        };
    return streamed
        ? new Delivery.Streamed(() -> new TextStream(call, answerMapping.messageId(call)))
        : new Delivery.Whole();
  }

  /// Publishes the text of a model to the subscribers of a run while it is generated, piece by
  /// piece.
  static final class TextStream implements Consumer<String> {
    private final NodeCall call;
    private final Optional<String> messageId;
    private @Nullable LiveText liveText;
    private String half = "";

    /// @param messageId of the message that the answer becomes, if it does
    TextStream(NodeCall call, Optional<String> messageId) {
      this.call = call;
      this.messageId = messageId;
    }

    /// Half a character waits for its other half.
    @Override
    public void accept(String piece) {
      var text = half + piece;
      boolean cut = Character.isHighSurrogate(text.charAt(text.length() - 1));
      int end = cut ? text.length() - 1 : text.length();
      half = text.substring(end);
      if (end > 0) {
        liveText().append(text.substring(0, end));
      }
    }

    /// A call that gets no text begins none: the one before stays in force.
    private LiveText liveText() {
      var begun = liveText == null ? call.watchers().begin(messageId) : liveText;
      liveText = begun;
      return begun;
    }
  }
}
