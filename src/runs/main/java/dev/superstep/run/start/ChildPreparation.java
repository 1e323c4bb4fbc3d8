package dev.superstep.run.start;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphName;
import dev.superstep.engine.RunStart;
import dev.superstep.engine.checkpoint.ChildStart;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.node.ChildPlace;
import dev.superstep.engine.node.ChildRequest;
import dev.superstep.engine.node.ChildRuns;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Violations;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.ParamSettings;
import dev.superstep.run.store.ChildLimits;
import dev.superstep.run.store.NestingGuard;
import dev.superstep.run.store.RunFinder;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Prepares child runs of tasks: what a start by a client does, short of storing it.
@Component
class ChildPreparation implements ChildRuns {
  private static final Logger log = LoggerFactory.getLogger(ChildPreparation.class);
  private static final Duration TIME_MIN = Duration.ofMillis(1);

  private final RunFinder runFinder;
  private final NestingGuard nesting;
  private final EngineLimits limits;
  private final DatabaseClock clock;
  private final ParamSettings params;

  ChildPreparation(
      RunFinder runFinder,
      NestingGuard nesting,
      EngineLimits limits,
      DatabaseClock clock,
      ParamSettings params) {
    this.runFinder = runFinder;
    this.nesting = nesting;
    this.limits = limits;
    this.clock = clock;
    this.params = params;
  }

  @Override
  public Optional<ChildStart> prepare(NodeCall call, ChildRequest request) {
    try {
      nesting.check(call.run().id(), call.nextChild().run());
      var graph = runFinder.called(call.run(), request.graph(), request.version());
      check(graph, request.input());
      if (graph.program().spends()) {
        call.meter().check();
      }
      return Optional.of(start(call, graph, request.input()));
    } catch (ServiceException e) {
      throw new TaskFailedException(
          TaskError.permanent(e.code().code(), Tenant.of(call.run().id()).shownIn(e.detail())));
    } catch (TransientDataAccessException
        | DataAccessResourceFailureException
        | TransactionException e) {
      log.warn("Run {} cannot read graph '{}' now", call.run().id(), request.graph(), e);
      return Optional.empty();
    }
  }

  private static void check(Compiled graph, ObjectValue input) {
    var violations = graph.inputCheck().check(input);
    if (!violations.isEmpty()) {
      var found =
          violations.stream()
              .<Value>map(it ->
                  ObjectValue.of("pointer", Value.of(it.pointer()))
                      .plus("message", Value.of(it.message())))
              .toList();
      var first = violations.getFirst();
      throw new TaskFailedException(
          TaskError.permanent(
                  "invalid_input",
                  "the input does not fit graph '%s': %s %s"
                      .formatted(Tenant.shown(graph.name()), first.pointer(), first.message()))
              .with("problems", ListValue.of(found)));
    }
  }

  /// Its own params, as the operator has set them: a parent brings what differs with the input. The
  /// params of an inline graph are those of its parent.
  private ObjectValue params(Compiled graph) {
    var violations = new Violations();
    var pinned =
        graph
            .params()
            .pin(ObjectValue.empty(), params.of(graph.name()), violations.root().key("params"));
    if (violations.hasErrors()) {
      var first = violations.errors().getFirst();
      throw new TaskFailedException(
          TaskError.permanent(
              "invalid_params",
              "graph '%s' cannot start: %s %s"
                  .formatted(Tenant.shown(graph.name()), first.pointer(), first.message())));
    }
    return pinned;
  }

  private ChildStart start(NodeCall call, Compiled graph, ObjectValue input) {
    var place = call.nextChild();
    var parent = call.run();
    var header =
        new RunHeader(
            place.run(),
            BirthId.ofRun(place.run()), // the statement that inserts the run makes another
            graph.name(),
            graph.version(),
            place.ordinal(),
            parent.metadata(),
            GraphName.of(graph.name()).isInline() ? parent.params() : params(graph),
            parent.traceparent());
    var origin = new RunStart.StartState(GraphState.empty(), context(call, graph));
    var begun = new RunStart(graph.program(), limits, clock).begin(header, input, origin);
    return switch (begun) {
      case PreparedCheckpoint.Ready(var first) ->
          new ChildStart(header, input, limits(call, graph, place), first, 0);
      case PreparedCheckpoint.Refused(var error) -> throw new TaskFailedException(error);
    };
  }

  /// Deadlines and budgets go down: the least of what the node, the parent and the child's graph
  /// allow.
  private static Limits limits(NodeCall call, Compiled graph, ChildPlace place) {
    var declared = graph.program().graph().settings().limits();
    var timeout =
        Stream.of(
                call.task().node().policy().timeout(),
                Optional.of(place.timeLeft()),
                declared.timeout())
            .flatMap(Optional::stream)
            .min(Duration::compareTo)
            .filter(it -> it.compareTo(TIME_MIN) > 0)
            .orElse(TIME_MIN);
    return graph.program().spends()
        ? ChildLimits.ofChild(timeout, place.left(), declared)
        : ChildLimits.timeout(timeout);
  }

  /// What the node receives goes on top of what the child's graph says (P2, P9). A template of the
  /// graph's own stays.
  private static Optional<PromptContext> context(NodeCall call, Compiled graph) {
    if (!graph.program().graph().settings().keepsContext()) {
      return Optional.empty();
    }
    var own = graph.context();
    var received = call.context();
    return Optional.of(
        new PromptContext(
            own.template().isEmpty() ? received.template() : own.template(),
            own.variables().plusAll(received.variables()),
            received.history(),
            received.times(),
            own.metadata().plusAll(received.metadata())));
  }
}
