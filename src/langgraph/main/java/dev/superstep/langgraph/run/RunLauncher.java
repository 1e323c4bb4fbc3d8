package dev.superstep.langgraph.run;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.LaunchFollowUps.FollowUp;
import dev.superstep.langgraph.run.RunCall.CallOptions;
import dev.superstep.langgraph.run.RunCall.CallStart;
import dev.superstep.langgraph.run.RunCall.Launched;
import dev.superstep.langgraph.run.RunCreate.Chosen;
import dev.superstep.langgraph.thread.ThreadLabels;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.IfBusy;
import dev.superstep.run.RunService;
import dev.superstep.run.RunService.Started;
import dev.superstep.run.ThreadQueries;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Does what a call that begins a run asks for, in one transaction with the row of the call: after
/// a crash there are both, or neither.
@Component
@OnLangGraph
class RunLauncher {
  private final RunPlanner planner;
  private final RunService runs;
  private final ThreadQueries threadQueries;
  private final RunCallRows rows;
  private final ThreadLabels labels;
  private final LaunchFollowUps followUps;
  private final Idempotency idempotency;
  private final TransactionOperations transaction;
  private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

  RunLauncher(
      RunPlanner planner,
      RunService runs,
      ThreadQueries threadQueries,
      RunCallRows rows,
      ThreadLabels labels,
      LaunchFollowUps followUps,
      Idempotency idempotency,
      TransactionOperations transaction) {
    this.planner = planner;
    this.runs = runs;
    this.threadQueries = threadQueries;
    this.rows = rows;
    this.labels = labels;
    this.followUps = followUps;
    this.idempotency = idempotency;
    this.transaction = transaction;
  }

  /// @param key with which the call can be repeated
  /// @param named receives the id of the stored run before it can go on
  Launched launch(
      Optional<String> thread, RunCreate request, IdempotencyKey key, Consumer<String> named) {
    var known = known(thread, request, key);
    if (known.isPresent()) {
      named.accept(known.get().call().run());
      return known.get();
    }
    var planned = plan(thread, request);
    try (var followUp = followUps.of(planned.thread(), request)) {
      var launched =
          key.isAbsent() && planned.isSingle()
              ? perform(planned, both(followUp::keepTextsAnywhere, named))
              : once(key, () -> List.of(perform(planned, followUp, named))).getFirst();
      if (launched.replayed()) {
        named.accept(launched.call().run());
      } else {
        followUp.launched(launched);
      }
      return launched;
    }
  }

  /// Plans a call that nobody makes: a schedule does.
  ///
  /// @return begins the run, as part of the current transaction
  Supplier<Launched> prepare(Optional<String> thread, RunCreate request) {
    var planned = plan(thread, request);
    return () -> {
      var followUp = followUps.of(planned.thread(), request);
      var launched = perform(planned, _ -> {});
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void afterCommit() {
              if (!launched.replayed()) {
                followUp.launched(launched);
              }
            }
          });
      return launched;
    };
  }

  /// What an earlier call of the same request has begun. Called before the thread is looked at,
  /// which that call has changed.
  Optional<Launched> known(Optional<String> thread, RunCreate request, IdempotencyKey key) {
    return known(key).map(List::getFirst).or(() -> same(thread, request));
  }

  private Optional<List<Launched>> known(IdempotencyKey key) {
    return idempotency.known(key).map(this::again);
  }

  private List<Launched> again(StoredAnswer answer) {
    return Stream.of(answer.resource().split(" "))
        .map(it -> new Launched(rows.find(it).orElseThrow(() -> gone(it)), true))
        .toList();
  }

  private static ServiceException gone(String id) {
    return new ServiceException(
        ErrorCode.RUN_NOT_FOUND, "run '%s', which this call has begun, is erased".formatted(id));
  }

  /// The call with the id that this one has chosen.
  private Optional<Launched> same(Optional<String> thread, RunCreate request) {
    var chosen = request.chosen();
    var found = chosen.flatMap(rows::find);
    if (found.isPresent() && thread.isPresent() && !found.get().thread().equals(thread)) {
      throw chosen.orElseThrow().taken();
    }
    return found.map(it -> new Launched(it, true));
  }

  /// Everything in one transaction, and with its key.
  private List<Launched> once(IdempotencyKey key, Supplier<List<Launched>> effect) {
    var done = new ArrayList<Launched>();
    var answer =
        idempotency.once(
            key,
            () -> {
              done.addAll(Objects.requireNonNull(transaction.execute(_ -> effect.get())));
              var ids = done.stream().map(it -> it.call().id()).collect(Collectors.joining(" "));
              return new StoredAnswer(HttpStatus.OK.value(), ids);
            });
    return answer.replayed() ? again(answer) : done;
  }

  /// Begins runs without threads: all of them, or none.
  List<Launched> launchAll(List<RunCreate> requests, IdempotencyKey key) {
    var known = known(key);
    if (known.isPresent() || requests.isEmpty()) {
      return known.orElseGet(List::of);
    }
    var planned = requests.stream().map(it -> plan(Optional.empty(), it)).toList();
    var following = new ArrayList<FollowUp>();
    try {
      planned.forEach(it -> following.add(followUps.of(it.thread(), it.request())));
      var all =
          once(
              key,
              () -> {
                var begun = new ArrayList<Launched>();
                for (int i = 0; i < planned.size(); i++) {
                  begun.add(perform(planned.get(i), following.get(i), _ -> {}));
                }
                return begun;
              });
      for (int i = 0; i < all.size(); i++) {
        if (!all.get(i).replayed()) {
          following.get(i).launched(all.get(i));
        }
      }
      return all;
    } finally {
      following.forEach(FollowUp::close);
    }
  }

  /// What is to be done in the transaction.
  ///
  /// @param described metadata of the thread; empty: it may have to be made
  private record Planned(
      RunCreate request,
      Optional<String> thread,
      Optional<ObjectValue> described,
      RunPlan plan,
      CallOptions options) {
    /// Whether its start, with the row of the call, is a single statement.
    boolean isSingle() {
      return thread.isEmpty() && request.isSingle();
    }
  }

  private Planned plan(Optional<String> thread, RunCreate request) {
    var at = thread.isPresent() ? thread : ownThread(request);
    boolean makes = request.thread().creates() || request.thread().keeps();
    var described = at.filter(_ -> !makes).map(threadQueries::metadata);
    var options =
        new CallOptions(
            request.assistant(),
            request.metadata(),
            request.body().minus("input"),
            request.thread().ifBusy().apiName());
    return new Planned(request, at, described, planner.plan(at, request), options);
  }

  /// In a transaction.
  private Launched perform(Planned planned, FollowUp followUp, Consumer<String> named) {
    return followUp.performed(perform(planned, both(followUp::keepTexts, named)));
  }

  private static Consumer<String> both(Consumer<String> first, Consumer<String> second) {
    return first.andThen(second);
  }

  private Launched perform(Planned planned, Consumer<String> named) {
    var request = planned.request();
    var at = planned.thread();
    request.chosen().ifPresent(rows::lock);
    var known = same(request.thread().keeps() ? Optional.empty() : at, request);
    if (known.isPresent()) {
      return known.get();
    }
    at.ifPresent(it -> label(it, planned));
    var launched = perform(planned, request.chosen().map(Chosen::id), named);
    if (at.isPresent() && launched.progress().isEmpty()) {
      rows.insert(launched.call(), request.chosen());
    }
    return launched;
  }

  /// Begins a run without a thread, for a caller who waits for its end, from what this process
  /// remembers of its assistant and its graph: in memory, so that one statement inserts the run,
  /// the row of the call and what the run has committed by then.
  ///
  /// @param request read with what is remembered
  /// @return empty if that may not hold any more, or the run cannot begin so; nothing is stored
  Optional<Launched> launchRemembered(RunCreate request) {
    var shown = request.startable().shown();
    if (!runs.startsEarly() || shown.isEmpty()) {
      return Optional.empty();
    }
    Planned planned;
    try {
      planned = plan(Optional.empty(), request);
    } catch (ServiceException _) {
      return Optional.empty(); // refused by what may not hold any more
    }
    if (!(planned.plan() instanceof RunPlan.Start(var start))) {
      return Optional.empty();
    }
    var row = RunCallCompanion.row(planned.options(), Optional.empty());
    var checked =
        start
            .remembering(shown.get())
            .beside(RunCallCompanion.remembering(row, request.startable().state()));
    try (var followUp = followUps.of(Optional.empty(), request)) {
      var launched =
          runs.startRemembered(checked, followUp::keepTexts).map(it -> started(it, planned));
      launched.ifPresent(followUp::launched);
      return launched;
    }
  }

  private Launched started(Started started, Planned planned) {
    var id = started.run();
    return new Launched(
        call(id, id, planned.thread(), CallStart.START, planned.options()),
        false,
        started.progress());
  }

  private void label(String thread, Planned planned) {
    var graph = planned.request().graph();
    var assistant = planned.request().assistant();
    var described = planned.described();
    if (described.isPresent()) {
      labels.label(thread, described.get(), graph, assistant);
    } else if (!labels.make(thread, graph, assistant)) {
      labels.label(thread, graph, assistant);
    }
  }

  private Optional<String> ownThread(RunCreate request) {
    return request.thread().keeps() ? Optional.of(newId()) : Optional.empty();
  }

  private Launched perform(Planned planned, Optional<String> chosen, Consumer<String> named) {
    var thread = planned.thread();
    var options = planned.options();
    return switch (undoing(planned.plan(), thread)) {
      case RunPlan.Start(var start) -> {
        thread.ifPresent(runs::endStopped);
        var row = RunCallCompanion.row(options, planned.request().chosen());
        yield started(runs.start(start.beside(row), named), planned);
      }
      case RunPlan.GoOn(var request, var answers) -> {
        var continued = runs.goOn(request, answers, named);
        var run = continued.run();
        if (!continued.isNew()) {
          rows.ensureFirst(run, thread, options.assistant());
        }
        var id = chosen.orElseGet(() -> continued.isNew() ? run : newId());
        var begin = new CallStart(continued.after(), continued.checkpoint());
        yield new Launched(
            continued.nothing()
                ? nothing(id, run, thread, options)
                : call(id, run, thread, begin, options),
            false);
      }
    };
  }

  /// A rollback of a run that a call has gone on with undoes that call alone.
  private RunPlan undoing(RunPlan plan, Optional<String> thread) {
    return thread
        .filter(_ -> plan.ifBusy() == IfBusy.ROLLBACK)
        .flatMap(runs::hold)
        .flatMap(rows::newestOf)
        .filter(it -> it.after() > 0)
        .map(it -> plan.undoing(new CheckpointRef(it.run(), it.begin().checkpoint())))
        .orElse(plan);
  }

  private String newId() {
    return Tenant.current().own(ids.generate().toString());
  }

  private RunCall call(
      String id, String run, Optional<String> thread, CallStart begin, CallOptions options) {
    return new RunCall(id, run, thread, begin, Optional.empty(), options, false, Instant.EPOCH);
  }

  private static RunCall nothing(
      String id, String run, Optional<String> thread, CallOptions options) {
    return new RunCall(
        id, run, thread, CallStart.START, Optional.empty(), options, true, Instant.EPOCH);
  }
}
