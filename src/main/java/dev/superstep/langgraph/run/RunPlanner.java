package dev.superstep.langgraph.run;

import dev.superstep.context.ContextEdit;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Limits;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.message.GraphMessages;
import dev.superstep.langgraph.message.MessageChannels;
import dev.superstep.langgraph.run.RunCreate.Command;
import dev.superstep.langgraph.thread.ThreadStates;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ForkRun;
import dev.superstep.run.IfBusy;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.ResumeRun.Onward;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.run.StartRun;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.view.CheckpointRef;
import dev.superstep.run.view.RunView;
import dev.superstep.schedule.replica.DatabaseClock;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/// Decides what a call does: it begins a run with input, goes on with the one that has stopped, or
/// begins one from an older checkpoint.
@Component
@OnLangGraph
class RunPlanner {
  private static final String START = "__start__";
  private static final String END = "__end__";

  private final RunService runs;
  private final RunQueries queries;
  private final ThreadQueries threads;
  private final GraphRegistry graphs;
  private final GraphMessages channels;
  private final ThreadStates states;
  private final RunCalls calls;
  private final DatabaseClock clock;

  RunPlanner(
      RunService runs,
      RunQueries queries,
      ThreadQueries threads,
      GraphRegistry graphs,
      GraphMessages channels,
      ThreadStates states,
      RunCalls calls,
      DatabaseClock clock) {
    this.runs = runs;
    this.queries = queries;
    this.threads = threads;
    this.graphs = graphs;
    this.channels = channels;
    this.states = states;
    this.calls = calls;
    this.clock = clock;
  }

  /// @param thread that exists; empty: a run without one
  RunPlan plan(Optional<String> thread, RunCreate request) {
    var work = request.work();
    if (thread.isEmpty()) {
      return work.input()
          .map(it -> start(Optional.empty(), request, it, StartPoint.ALONE))
          .orElseThrow(() ->
              RequestReader.refuse(
                  "/input", "is missing: a run without a thread has nothing to go on with"));
    }
    if (work.input().isPresent() && work.checkpoint().isEmpty()) {
      return start(thread, request, work.input().get(), StartPoint.ALONE);
    }
    var head = head(thread.get(), request);
    var from =
        work.checkpoint()
            .map(it -> states.find(thread.get(), it).at())
            .filter(it -> !isNewest(thread.get(), it));
    if (work.input().isPresent()) {
      return start(thread, request, work.input().get(), new StartPoint(from, head));
    }
    var at =
        from.or(() -> head)
            .orElseThrow(() ->
                RequestReader.refuse(
                    "/input", "is missing: the thread has no state to go on with yet"));
    if (work.command().filter(Command::ends).isPresent()) {
      return fork(thread.get(), request, at, Change.NONE, Optional.of(END));
    }
    return from.isPresent()
        ? branch(thread.get(), request, at)
        : goOn(thread.get(), request, queries.run(at.run()), at);
  }

  /// Where the thread is; one that the call makes is nowhere.
  private Optional<CheckpointRef> head(String thread, RunCreate request) {
    try {
      return threads.thread(thread).head();
    } catch (ServiceException e) {
      if (e.code() == ErrorCode.THREAD_NOT_FOUND && request.thread().creates()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /// Clients name the newest state that a history shows, behind which tasks may be held.
  private boolean isNewest(String thread, CheckpointRef at) {
    return threads.history(thread, Optional.empty(), 1).stream()
        .anyMatch(it -> it.position().at().equals(at));
  }

  /// Where a run begins.
  ///
  /// @param from an older state; empty: the newest
  /// @param head the newest
  private record StartPoint(Optional<CheckpointRef> from, Optional<CheckpointRef> head) {
    static final StartPoint ALONE = new StartPoint(Optional.empty(), Optional.empty());

    Optional<CheckpointRef> state() {
      return from.or(() -> head);
    }
  }

  private RunPlan start(Optional<String> thread, RunCreate request, Value input, StartPoint at) {
    var graph = request.graph();
    var compiled = graphs.compiled(graph, newest(graph));
    var change = channels.of(graph, compiled.version()).toChange(input, "/input");
    boolean edits = !change.overwrite().isEmpty() || !change.removeMessages().isEmpty();
    var edited = thread.filter(_ -> edits).flatMap(it -> at.state().or(() -> head(it, request)));
    if (thread.isPresent() && edited.isPresent()) {
      return fork(thread.get(), request, edited.get(), change, Optional.of(START));
    }
    var settings = request.settings();
    var keepsContext = compiled.program().graph().settings().keepsContext();
    var context =
        Optional.of(settings.variables())
            .filter(it -> keepsContext && !it.isEmpty())
            .map(it -> ObjectValue.of("variables", it));
    var startAt = settings.afterSeconds().map(it -> clock.instant().plus(Duration.ofSeconds(it)));
    var before = thread.filter(_ -> rollsBack(request)).flatMap(this::answered);
    var options =
        new StartRun.Options(
                limits(settings.supersteps(), 0),
                settings.breakpoints(),
                0,
                settings.durability(),
                startAt)
            .ifBusy(before.isPresent() ? IfBusy.INTERRUPT : request.thread().ifBusy())
            .from(at.from().or(() -> before));
    return new RunPlan.Start(
        runs.check(
            new StartRun(
                graph,
                Optional.empty(),
                change.overwrite().plusAll(change.update()),
                context,
                request.chosen().map(RunCreate.Chosen::id),
                thread,
                Map.of(),
                options)));
  }

  private static boolean rollsBack(RunCreate request) {
    return request.thread().ifBusy() == IfBusy.ROLLBACK;
  }

  /// Where the run that is under way was when a call answered its question: that call is to be
  /// undone, and not what came before.
  private Optional<CheckpointRef> answered(String thread) {
    return calls
        .active(thread)
        .map(RunCalls.Found::call)
        .filter(it -> it.after() > 0)
        .map(it -> new CheckpointRef(it.run(), it.begin().checkpoint()));
  }

  private int newest(String graph) {
    var shown = graphs.shown(Set.of(graph)).get(graph);
    if (shown == null) {
      throw new ServiceException(
          ErrorCode.GRAPH_NOT_FOUND, "there is no graph '%s'".formatted(graph));
    }
    return shown.newest();
  }

  private static Limits limits(Optional<Integer> supersteps, int done) {
    var none = Limits.NONE;
    return supersteps
        .map(it ->
            new Limits(
                Optional.of((int) Math.min(Integer.MAX_VALUE, (long) it + done)),
                none.concurrencyMax(),
                none.dispatchesMax(),
                none.modelCallsMax(),
                none.tokensMax(),
                none.timeout()))
        .orElse(none);
  }

  private RunPlan fork(
      String thread,
      RunCreate request,
      CheckpointRef from,
      Change change,
      Optional<String> asNode) {
    var fork =
        new ForkRun(
            from.run(),
            from.isBeforeInput() ? 0 : from.checkpoint(),
            Optional.empty(),
            Optional.of(change).filter(it -> !it.isEmpty()),
            asNode,
            limits(request.settings().supersteps(), 0),
            ContextEdit.NONE,
            Optional.of(thread),
            request.thread().ifBusy());
    runs.prepare(fork);
    return new RunPlan.Fork(fork);
  }

  /// From an older checkpoint, with what was pending there.
  private RunPlan branch(String thread, RunCreate request, CheckpointRef from) {
    var command = request.work().command();
    if (command.flatMap(Command::resume).isPresent()) {
      throw RequestReader.refuse(
          "/command/resume", "answers the open question of the thread, not one of an older state");
    }
    refuseGoTo(command);
    return fork(thread, request, from, change(command, from.run()), Optional.empty());
  }

  private static void refuseGoTo(Optional<Command> command) {
    if (command.filter(it -> !it.goTo().isEmpty()).isPresent()) {
      throw RequestReader.refuse(
          "/command/goto",
          "activates nodes beside what is pending, and nothing is: the run there has ended; send"
              + " input, or update the state as a node");
    }
  }

  private RunPlan goOn(String thread, RunCreate request, RunView run, CheckpointRef at) {
    var command = request.work().command();
    var id = run.summary().id();
    if (command.flatMap(Command::resume).isPresent()) {
      return answer(request, command.get(), run);
    }
    return switch (run.summary().status()) {
      case INTERRUPTED, FAILED -> {
        boolean asks =
            run.summary().status() == RunStatus.INTERRUPTED && !run.interrupts().isEmpty();
        yield asks && command.isEmpty() ? new RunPlan.Nothing(id) : resume(request, run, List.of());
      }
      case SUCCEEDED -> {
        refuseGoTo(command);
        yield command.isEmpty()
            ? new RunPlan.Nothing(id)
            : fork(thread, request, at, change(command, id), Optional.empty());
      }
      case CANCELLED, QUEUED, RUNNING, WAITING, CANCELLING -> {
        refuseGoTo(command);
        yield fork(thread, request, at, change(command, id), Optional.empty());
      }
    };
  }

  private RunPlan answer(RunCreate request, Command command, RunView run) {
    var open = run.interrupts().stream().map(it -> it.id()).toList();
    var value = command.resume().orElse(Value.NULL);
    if (open.isEmpty()) {
      return new RunPlan.Nothing(run.summary().id());
    }
    if (value instanceof ObjectValue map
        && !map.isEmpty()
        && open.containsAll(map.asMap().keySet())) {
      return resume(
          request,
          run,
          map.asMap().entrySet().stream()
              .map(it -> new ResumeRun.Answer(Optional.of(it.getKey()), it.getValue()))
              .toList());
    }
    if (open.size() > 1) {
      throw RequestReader.refuse(
          "/command/resume",
          "%d questions are open; send an object of their ids and the answers: %s"
              .formatted(open.size(), String.join(", ", open)));
    }
    return resume(request, run, List.of(new ResumeRun.Answer(Optional.of(open.getFirst()), value)));
  }

  private RunPlan resume(RunCreate request, RunView run, List<ResumeRun.Answer> answers) {
    var command = request.work().command();
    var standing = run.summary().standing();
    var resume =
        new ResumeRun(
            run.summary().id(),
            answers,
            List.of(),
            Optional.of(change(command, run.summary().id())).filter(it -> !it.isEmpty()),
            limits(request.settings().supersteps(), standing.superstep()),
            ContextEdit.NONE,
            new Onward(command.map(Command::goTo).orElse(List.of()), true));
    return new RunPlan.Resume(resume, runs.check(resume), standing.checkpoint());
  }

  private MessageChannels channels(String run) {
    var origin = queries.summary(run).origin();
    return channels.of(origin.graph(), origin.version());
  }

  private Change change(Optional<Command> command, String run) {
    return command
        .filter(Command::updates)
        .map(it -> channels(run).toChange(it.update(), "/command/update"))
        .orElse(Change.NONE);
  }
}
