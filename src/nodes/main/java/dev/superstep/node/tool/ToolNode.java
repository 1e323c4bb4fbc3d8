package dev.superstep.node.tool;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.TaskError;
import dev.superstep.node.Answers;
import dev.superstep.node.MockableNode;
import dev.superstep.node.tool.ToolCallJournal.JournaledQuestion;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Optional;

/// Runs the calls of the last assistant message.
///
/// Each attempt first takes in what a person has answered, then asks what is still to be asked, one
/// question at a time and before anything runs, then runs the calls without a result. The state of
/// each call is stored as soon as it is known ([ToolCallJournal]).
record ToolNode(
    String channel,
    Toolbox toolbox,
    Approval approval,
    ToolQuestions questions,
    ToolCallRunner toolCallRunner,
    ToolResults results,
    Optional<ToolCallbacks> callbacks)
    implements MockableNode {
  @Override
  public Outcome run(NodeCall task) throws InterruptedException {
    if (!(task.state().channels().getOr(channel, ListValue.empty()) instanceof ListValue list)) {
      return new Outcome.Failed(
          TaskError.permanent(
              "bad_messages",
              "channel '%s' holds something else than messages".formatted(channel)));
    }
    var toolCalls = ToolCall.open(list);
    if (toolCalls.isEmpty()) {
      return new Outcome.Done(results.ofNone(task));
    }
    var toolCallPlanner = new ToolCallPlanner(task, toolbox, approval, toolCallRunner.counts());
    takeAnswer(toolCallPlanner, toolCalls);
    if (callbacks.isPresent()) {
      callbacks.get().take(toolCallPlanner, toolCalls, toolCallRunner);
    }
    var question = question(toolCallPlanner, toolCalls);
    if (question.isPresent()) {
      return ask(toolCallPlanner, question.get());
    }
    toolCallRunner.run(
        toolCallPlanner, toolCalls, it -> callbacks.filter(later -> later.concern(it)).isPresent());
    if (callbacks.isPresent()) {
      var waiting = callbacks.get().next(toolCallPlanner, toolCalls, toolCallRunner);
      if (waiting.isPresent()) {
        return waiting.get();
      }
    }
    // Calls that may not be repeated and whose outcome is unknown.
    question = question(toolCallPlanner, toolCalls);
    return question.isPresent()
        ? ask(toolCallPlanner, question.get())
        : new Outcome.Done(results.of(toolCallPlanner, toolCalls));
  }

  /// The answer belongs to the first question that is open, unless it was taken in before a crash.
  /// Where the call is not any more what the question shows, because the state was edited, it is
  /// asked about again.
  private static void takeAnswer(ToolCallPlanner toolCallPlanner, List<ToolCall> toolCalls)
      throws InterruptedException {
    var resume = toolCallPlanner.task().resume();
    if (resume.isEmpty()) {
      return;
    }
    var interrupt = resume.get().interruptId();
    if (toolCallPlanner.toolCallJournal().confirmed(interrupt)
        || !(resume.get().answer() instanceof ObjectValue answer)) {
      return;
    }
    for (var toolCall : toolCalls) {
      for (var question : JournaledQuestion.values()) {
        if (toolCallPlanner.toolCallJournal().isAnsweredBy(interrupt, question, toolCall)) {
          return;
        }
      }
    }
    var open = question(toolCallPlanner.asAsked(), toolCalls);
    if (open.isPresent()
        && toolCallPlanner.toolCallJournal().isAsked(open.get().question(), open.get().call())) {
      toolCallPlanner
          .toolCallJournal()
          .decided(open.get().question(), open.get().call(), interrupt, answer);
    }
  }

  private static Optional<ToolCallPlan.Ask> question(
      ToolCallPlanner toolCallPlanner, List<ToolCall> toolCalls) throws InterruptedException {
    for (var toolCall : toolCalls) {
      if (toolCallPlanner.plan(toolCall) instanceof ToolCallPlan.Ask ask) {
        return Optional.of(ask);
      }
    }
    return Optional.empty();
  }

  private Outcome ask(ToolCallPlanner toolCallPlanner, ToolCallPlan.Ask ask)
      throws InterruptedException {
    var made = toolCallPlanner.toolCallJournal().made(ask.call());
    if (ask.question() == JournaledQuestion.CHANGED) {
      toolCallPlanner.toolCallJournal().asksAboutChange(ask.call());
    }
    if (ask.question() == JournaledQuestion.TOKEN) {
      var asked = toolCallPlanner.toolCallJournal().tokenQuestions(ask.call());
      toolCallPlanner.toolCallJournal().tokenQuestions(ask.call(), asked + 1);
    }
    toolCallPlanner.toolCallJournal().asks(ask.question(), ask.call());
    return new Outcome.Interrupted(questions.of(toolCallPlanner.task(), ask, made));
  }

  @Override
  public NodeRunner answeredBy(Answers answers) {
    return call ->
        new ToolNode(
                channel,
                toolbox.with(MockedTool.all(toolbox.tools(), call, answers)),
                approval,
                questions,
                toolCallRunner.oneByOne(),
                results,
                Optional.empty())
            .run(call);
  }

  @Override
  public boolean keepsParts() {
    return true;
  }
}
