package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.checkpoint.row.CheckpointWriter;
import dev.superstep.checkpoint.row.EventLog;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.checkpoint.row.RunOrigin;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.run.Event;
import dev.superstep.run.StartRun;
import dev.superstep.run.store.RunInputEntity;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Wake;
import dev.superstep.schedule.WakeUps;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Stores runs that wait for their thread: the request, without a checkpoint, for the state from
/// which they start is not known yet. Only a fork has its first checkpoint.
@Component
class RunEnqueuer {
  private final EntityManager entities;
  private final EventLog events;
  private final CheckpointWriter checkpoints;
  private final InsertRunsStatement statement;
  private final WakeUps wakeUps;
  private final DatabaseClock clock;
  private final AuditLog audit;

  RunEnqueuer(
      EntityManager entities,
      EventLog events,
      CheckpointWriter checkpoints,
      InsertRunsStatement statement,
      WakeUps wakeUps,
      DatabaseClock clock,
      AuditLog audit) {
    this.audit = audit;
    this.statement = statement;
    this.wakeUps = wakeUps;
    this.clock = clock;
    this.entities = entities;
    this.events = events;
    this.checkpoints = checkpoints;
  }

  /// Stores runs that some replica claims, now or when they are to start.
  void queue(List<NewRun> newRuns) {
    statement.execute(Optional.empty(), newRuns);
    var now = clock.instant();
    wakeUps.schedule(newRuns.stream().map(it -> firstWake(it, now)).toList());
  }

  private static Wake firstWake(NewRun newRun, Instant now) {
    return new Wake(
        newRun.id(),
        InsertRunsStatement.FIRST_WAKE,
        newRun.startAt().orElse(now),
        newRun.origin().priority());
  }

  /// @param options of these, when and where it may begin
  void enqueue(RunOrigin origin, RunInputEntity request, StartRun.Options options) {
    var run = new RunEntity(request.run(), origin, 0, options.startAt());
    options.from().ifPresent(run::beginFrom);
    insert(run);
    insert(origin, request);
    audit.record(AuditAction.RUN_START, request.run());
  }

  /// Stores a run that waits to go on with its thread. It has no event until it begins, for it may
  /// turn out that another run goes on.
  void enqueueCall(RunOrigin origin, RunInputEntity request, Optional<CheckpointRef> from) {
    var run = new RunEntity(request.run(), origin, 0, Optional.empty());
    from.ifPresent(run::beginFrom);
    insert(run);
    entities.persist(request);
    entities.flush();
    audit.record(AuditAction.RUN_START, request.run());
  }

  /// Stores a run from a checkpoint of another, which may be erased while this one waits.
  void enqueueFork(NewRun fork) {
    int superstep = fork.first().after().superstep();
    insert(new RunEntity(fork.id(), fork.origin(), superstep, Optional.empty()));
    checkpoints.write(fork.id(), fork.first(), List.of());
    insert(fork.origin(), fork.request());
    audit.record(AuditAction.RUN_FORK, fork.id());
  }

  /// Stores a run that does not go on behind its first checkpoint: it stands at a breakpoint before
  /// what is pending, or has succeeded if nothing is.
  ///
  /// @param isEdit whether that checkpoint is an edit, and no mere copy
  void putToRest(NewRun newRun, boolean isEdit) {
    var origin = newRun.origin();
    var first = newRun.first().after();
    var run = new RunEntity(newRun.id(), origin, first.superstep(), Optional.empty());
    newRun.from().ifPresent(run::beginFrom);
    if (origin.threadId() != null) {
      run.takeTurn(origin.ordinal());
    }
    run.restBehindFirst(first.pending(), clock.instant());
    if (isEdit) {
      run.edit();
    }
    insert(run);
    checkpoints.write(newRun.id(), newRun.first(), List.of());
    insert(origin, newRun.request());
    events.append(
        newRun.id(), List.of(Event.of("run.started", ObjectValue.empty()), rested(run, first)));
    recordRest(origin, newRun, isEdit);
  }

  private void recordRest(RunOrigin origin, NewRun newRun, boolean isEdit) {
    var thread = origin.threadId();
    if (isEdit && thread != null) {
      audit.record(AuditAction.THREAD_EDIT, thread);
    }
    newRun.audited().ifPresent(it -> audit.record(it.caller(), it.action(), newRun.id()));
  }

  private static Event rested(RunEntity run, Checkpoint first) {
    return run.breakpoint()
        .map(it ->
            Event.of(
                "run.interrupted",
                first.superstep(),
                ObjectValue.of("breakpoint", Value.of(it.when()))
                    .plus("nodes", ListValue.texts(it.nodes().toArray(String[]::new)))))
        .orElseGet(() -> Event.of("run.succeeded", ObjectValue.empty()));
  }

  private void insert(RunEntity run) {
    entities.persist(run);
    entities.flush();
  }

  private void insert(RunOrigin origin, RunInputEntity request) {
    entities.persist(request);
    entities.flush();
    events.append(request.run(), List.of(NewRun.created(origin)));
  }
}
