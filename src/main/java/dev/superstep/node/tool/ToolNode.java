package dev.superstep.node.tool;

import dev.superstep.engine.InterruptRequest;
import dev.superstep.engine.NodeCall;
import dev.superstep.engine.NodeResult;
import dev.superstep.engine.NodeRunner;
import dev.superstep.engine.Outcome;
import dev.superstep.engine.TaskError;
import dev.superstep.node.tool.Journal.Question;
import dev.superstep.state.Change;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.List;
import java.util.Optional;

/// Runs the calls of the last assistant message.
///
/// Each attempt first takes in what a person has answered, then asks what is still to be asked, one
/// question at a time and before anything runs, then runs what has no result. What is known of each
/// call is on disk as soon as it is known ([Journal]).
record ToolNode(
    String channel, Toolbox toolbox, Approval approval, Running running, Results results)
    implements NodeRunner {
  static final String APPROVAL = "tool_approval";
  static final String OUTCOME_UNKNOWN = "tool_outcome_unknown";

  @Override
  public Outcome run(NodeCall task) throws InterruptedException {
    if (!(task.state().channels().getOr(channel, ListValue.empty()) instanceof ListValue list)) {
      return new Outcome.Failed(
          TaskError.permanent(
              "bad_messages",
              "channel '%s' holds something else than messages".formatted(channel)));
    }
    var calls = Call.open(list);
    if (calls.isEmpty()) {
      return new Outcome.Done(NodeResult.NOTHING);
    }
    var planning = new Planning(task, toolbox, approval, new Journal(task.parts()));
    takeAnswer(planning, calls);
    var question = question(planning, calls);
    if (question.isPresent()) {
      return ask(question.get());
    }
    running.run(planning, calls);
    // Calls that may not be repeated, and of which nobody knows what came of them.
    question = question(planning, calls);
    return question.isPresent()
        ? ask(question.get())
        : new Outcome.Done(results.of(planning, calls));
  }

  /// The answer belongs to the first question that is open, unless it was taken in before a crash.
  private static void takeAnswer(Planning planning, List<Call> calls) throws InterruptedException {
    var resume = planning.task().resume();
    if (resume.isEmpty() || !(resume.get().answer() instanceof ObjectValue answer)) {
      return;
    }
    var interrupt = resume.get().interruptId();
    for (var call : calls) {
      for (var question : Question.values()) {
        if (planning.journal().isAnsweredBy(interrupt, question, call)) {
          return;
        }
      }
    }
    var open = question(planning, calls);
    if (open.isPresent()) {
      planning.journal().decided(open.get().question(), open.get().call(), interrupt, answer);
    }
  }

  private static Optional<Plan.Ask> question(Planning planning, List<Call> calls) {
    for (var call : calls) {
      if (planning.plan(call) instanceof Plan.Ask ask) {
        return Optional.of(ask);
      }
    }
    return Optional.empty();
  }

  private static Outcome ask(Plan.Ask ask) {
    var tool = ask.tool().description();
    var reason = ask.question() == Question.APPROVAL ? APPROVAL : OUTCOME_UNKNOWN;
    var words =
        ask.question() == Question.APPROVAL
            ? "May '%s' be called?".formatted(tool.name())
            : "'%s' may have been called already, and must not be called twice. Call it?"
                .formatted(tool.name());
    var payload =
        ObjectValue.of("question", Value.of(words))
            .plus("tool_call", ask.call().json())
            .plus("description", Value.of(tool.text()));
    return new Outcome.Interrupted(
        new InterruptRequest(
            reason,
            payload,
            Change.NONE,
            Optional.of(Decision.schema(tool, ask.call())),
            Optional.empty()));
  }

  @Override
  public boolean keepsParts() {
    return true;
  }
}
