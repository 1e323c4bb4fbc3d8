package dev.superstep.langgraph.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.GraphRegistry.Shown;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.langgraph.GraphMessages;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.RunCreate.Command;
import dev.superstep.langgraph.thread.ThreadStates;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.ContinueThread.ThreadSettings;
import dev.superstep.run.ContinueThread.ThreadWork;
import dev.superstep.run.InputEdit;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.ResumeRun.ResumeAnswer;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.run.RunView;
import dev.superstep.run.RunWebhooks;
import dev.superstep.run.StartRun;
import dev.superstep.run.ThreadQueries;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Reads what a call asks for, and checks what can be checked before its transaction.
@Component
@OnLangGraph
class RunPlanner {
  private final RunService runs;
  private final RunQueries queries;
  private final ThreadQueries threads;
  private final GraphRegistry graphs;
  private final GraphMessages channels;
  private final ThreadStates states;
  private final DatabaseClock clock;
  private final Callers callers;

  RunPlanner(
      RunService runs,
      RunQueries queries,
      ThreadQueries threads,
      GraphRegistry graphs,
      GraphMessages channels,
      ThreadStates states,
      DatabaseClock clock,
      Callers callers) {
    this.callers = callers;
    this.runs = runs;
    this.queries = queries;
    this.threads = threads;
    this.graphs = graphs;
    this.channels = channels;
    this.states = states;
    this.clock = clock;
  }

  /// @param thread that exists, or that the call makes; empty: a run without one
  RunPlan plan(Optional<String> thread, RunCreate request) {
    var work = request.work();
    if (thread.isEmpty()) {
      return work.input()
          .map(it -> start(Optional.empty(), request, it))
          .orElseThrow(() ->
              RequestReader.refuse(
                  "/input", "is missing: a run without a thread has nothing to go on with"));
    }
    return work.input()
        .map(it -> start(thread, request, it))
        .orElseGet(() -> goOn(thread.get(), request));
  }

  private RunPlan start(Optional<String> thread, RunCreate request, Value input) {
    var graph = request.graph();
    int version =
        request
            .startable()
            .shown()
            .map(Shown::newest)
            .orElseGet(() -> channels.newestVersion(graph));
    var compiled = graphs.compiled(graph, version);
    var change = channels.of(graph, version).toChange(input, "/input");
    var settings = request.settings();
    var keepsContext = compiled.program().graph().settings().keepsContext();
    var context =
        Optional.of(settings.variables())
            .filter(it -> keepsContext && !it.isEmpty())
            .map(it -> ObjectValue.of("variables", it));
    var startAt = settings.afterSeconds().map(it -> clock.instant().plus(Duration.ofSeconds(it)));
    var options =
        new StartRun.Options(
                supersteps(settings.supersteps()),
                settings.change().over(Breakpoints.NONE),
                0,
                startAt)
            .ifBusy(request.thread().ifBusy())
            .from(thread.flatMap(it -> named(it, request)))
            .webhooks(settings.webhook().map(RunWebhooks::ofEnds).orElse(RunWebhooks.NONE));
    var start =
        new StartRun(
                graph,
                Optional.empty(),
                change.overwrite().plusAll(change.update()),
                context,
                request.chosen().map(RunCreate.Chosen::id),
                thread,
                Map.of(),
                options)
            .with(InputEdit.of(change));
    return new RunPlan.Start(runs.check(start, compiled));
  }

  private Optional<CheckpointRef> named(String thread, RunCreate request) {
    return request.work().checkpoint().map(it -> states.find(thread, it).at());
  }

  private static Limits supersteps(Optional<Integer> max) {
    var none = Limits.NONE;
    return max.map(it ->
            new Limits(
                Optional.of(it),
                none.concurrencyMax(),
                none.dispatchesMax(),
                none.modelCallsMax(),
                none.tokensMax(),
                none.timeout()))
        .orElse(none);
  }

  private RunPlan goOn(String thread, RunCreate request) {
    var settings = request.settings();
    if (settings.afterSeconds().isPresent()) {
      throw RequestReader.refuse(
          "/after_seconds", "delays runs that begin with input; what is pending goes on at once");
    }
    if (settings.webhook().isPresent()) {
      throw RequestReader.refuse(
          "/webhook",
          "is of runs that begin with input; what goes on tells those of its beginning");
    }
    var head = head(thread, request).map(it -> queries.run(it.run()));
    var command = request.work().command();
    var answer = command.flatMap(Command::resume);
    var work =
        new ThreadWork(
            answer,
            change(command, request.graph(), head),
            command.filter(it -> !it.ends()).map(Command::goTo).orElse(List.of()),
            command.filter(Command::ends).isPresent());
    var given = new ThreadSettings(settings.supersteps(), settings.variables(), settings.change());
    var call =
        new ContinueThread(thread, named(thread, request), work, given, request.thread().ifBusy());
    return new RunPlan.GoOn(
        call, head.map(it -> check(it, answer)).orElseGet(() -> CheckedAnswers.of(callers)));
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

  /// As the questions are open now. Outside of transactions: it may wait for a processor.
  private CheckedAnswers check(RunView run, Optional<Value> value) {
    var open = run.interrupts().stream().map(it -> it.id()).toList();
    var answers =
        value.stream()
            .flatMap(it ->
                it instanceof ObjectValue map
                        && !map.isEmpty()
                        && open.containsAll(map.asMap().keySet())
                    ? map.asMap().entrySet().stream()
                        .map(one -> new ResumeAnswer(Optional.of(one.getKey()), one.getValue()))
                    : open.stream().limit(1).map(id -> new ResumeAnswer(Optional.of(id), it)))
            .toList();
    return runs.check(
        new ResumeRun(run.summary().id(), answers, List.of(), Optional.empty(), Limits.NONE));
  }

  private Change change(Optional<Command> command, String graph, Optional<RunView> head) {
    return command
        .filter(Command::updates)
        .map(it ->
            head.map(run -> run.summary().origin())
                .map(origin -> channels.of(origin.graph(), origin.version()))
                .orElseGet(() -> channels.newest(graph))
                .toChange(it.update(), "/command/update"))
        .orElse(Change.NONE);
  }
}
