package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.StoredForm;
import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.row.Interrupts;
import dev.superstep.checkpoint.row.Interrupts.AnsweredAs;
import dev.superstep.checkpoint.row.RunImages;
import dev.superstep.checkpoint.row.RunImages.RunRow;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.graph.Limits;
import dev.superstep.problem.AuditedCaller;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunService.Resumed;
import dev.superstep.run.check.Admitted;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.check.LimitsInForce;
import dev.superstep.run.drive.LocalRunStarter;
import dev.superstep.run.drive.LocalRuns.LocalRun;
import dev.superstep.run.drive.RestingRuns;
import dev.superstep.run.drive.RestingRuns.AskingRun;
import dev.superstep.run.drive.RestingRuns.ClaimedRun;
import dev.superstep.run.drive.RunClaims;
import dev.superstep.run.drive.RunClaims.Claim;
import dev.superstep.schedule.WakeUps;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// The one statement of an answer to a run that has stopped for it: it closes the interrupt, counts
/// the answer, and makes this process, if it has room, the owner of the run, which it drives at
/// once, as it does a run that it has inserted. Everything else is left as it is: a run that moves,
/// that has an error or stands at a breakpoint, a child, an interrupt that is closed or somebody's.
///
/// The thread is locked before the run, and that before its interrupt, as everybody does.
@Component
class AnswerStatement {
  private static final Logger log = LoggerFactory.getLogger(AnswerStatement.class);

  private static final String SQL =
      """
      with locked_thread as materialized (
        select id from thread
         where id = (select thread_id from run where id = :run)
           for no key update
      ), stopped as materialized (
        select id, wake, wakes_at from run
         where id = :run and (select count(*) from locked_thread) >= 0
           and owner is null and status = 'interrupted' and breakpoint is null and error is null
           and cancel_requested_at is null and pause_superstep is null and form <= :form
           and exists (select from replica where name = :owner)
           and not exists (select from child_run where child = run.id)
           and (:epoch::bigint is null
                or lease_epoch = :epoch::bigint and checkpoint = :checkpoint::integer
                   and created_at = :created::timestamptz)
           for no key update of run
      ), answered as (
        %s and run = (select id from stopped)
        returning run
      ), claimed as (
        update run
           set answers = answers + 1,
               owner = :owner,
               lease_epoch = next_epoch(lease_epoch),
               status = 'running',
               event_seq = event_seq + 1,
               takeovers = 0,
               wake = run.wake + 1,
               wakes_at = null,
               finished_at = null
          from answered join stopped on stopped.id = answered.run
         where run.id = answered.run
        returning run.*, stopped.wake as wake_before, stopped.wakes_at is not null as timed
      ), resumed as (
        insert into run_event (run, seq, type, superstep, data, at)
        select id, event_seq, 'run.resumed', superstep, convert_to('{}', 'UTF8'), clock_timestamp()
          from claimed
      )
      , audited as (
        %s
        select :tenant, :auditedCaller::text, :credential::text, :address::text, :action,
               :objectKind, :shown
          from claimed where :credential::text is not null
      )
      select %s,
             run.id, run.birth_id, run.graph, run.version, run.ordinal, run.lease_epoch,
             run.parent_run, run.thread_id, run.caller, run.takeovers, run.created_at,
             run.wake_before, run.timed, run.event_seq, run.answers,
             'queued' as before, run_input.metadata::text as metadata,
             run_input.params, run_input.traceparent
        from claimed as run
        join run_input on run_input.run = run.id
        left join checkpoint on checkpoint.run = :run and checkpoint.number = run.checkpoint
       where run_input.run = :run
      """
          .formatted(Interrupts.ANSWER, AuditLog.INSERT, RunImages.COLUMNS);

  private final JdbcClient jdbc;
  private final LocalRunStarter local;
  private final CallerQuotas quotas;
  private final RestingRuns resting;
  private final LimitsInForce limits;
  private final WakeUps wakeUps;
  private final RunImages images;
  private final GraphRegistry graphs;

  AnswerStatement(
      JdbcClient jdbc,
      LocalRunStarter local,
      CallerQuotas quotas,
      RestingRuns resting,
      LimitsInForce limits,
      WakeUps wakeUps,
      RunImages images,
      GraphRegistry graphs) {
    this.jdbc = jdbc;
    this.local = local;
    this.quotas = quotas;
    this.resting = resting;
    this.limits = limits;
    this.wakeUps = wakeUps;
    this.images = images;
    this.graphs = graphs;
  }

  /// A run that asks one question and nothing else, as this process has left it.
  Optional<AskingRun> asking(String run) {
    return resting.find(run);
  }

  /// A valid answer.
  ///
  /// @param starter the caller who has started the run
  /// @param as who answers
  /// @param audited the same, if that is recorded
  /// @param asking the run must be as it was; empty: however it is
  record Answer(
      StoredInterrupt interrupt,
      String starter,
      Value value,
      AnsweredAs as,
      Optional<AuditedCaller> audited,
      Optional<AskingRun> asking) {
    String run() {
      return interrupt.place().run();
    }
  }

  /// @param timer number of the wake-up that is not needed any more
  /// @param events seq of its last event, which reports the claim
  /// @param answers how many it has had, with this one
  private record Woken(
      Claim claim,
      int checkpoint,
      Limits own,
      Optional<RunRow> stored,
      Instant createdAt,
      int answers,
      Optional<Long> timer,
      long events) {
    static Woken of(ResultSet row, int number) throws SQLException {
      return new Woken(
          RunClaims.claim(row, number),
          row.getInt("checkpoint"),
          RunRow.limits(row),
          RunRow.of(row),
          row.getObject("created_at", OffsetDateTime.class).toInstant(),
          row.getInt("answers"),
          row.getBoolean("timed") ? Optional.of(row.getLong("wake_before")) : Optional.empty(),
          row.getLong("event_seq"));
    }
  }

  /// Joins the current transaction; without one, the answer is on disk when this returns.
  ///
  /// @return empty if nothing has changed
  Optional<Resumed> goOn(Answer answer) {
    return quotas
        .admitIfRoom(Share.of(answer.run(), answer.starter()))
        .flatMap(it -> goOn(answer, it));
  }

  /// The way that is taken if nothing has changed admits the run itself, and says so if it is
  /// refused, once it is known that the interrupt is open.
  private Optional<Resumed> goOn(Answer answer, Admitted admitted) {
    try (admitted) {
      var resumed = local.reserve(answer.run(), answer.starter()).flatMap(it -> goOn(answer, it));
      if (resumed.isEmpty()) {
        admitted.takeBack();
      }
      return resumed;
    }
  }

  /// A run that is owned here must be driven here, or have no [LocalRun].
  private Optional<Resumed> goOn(Answer answer, LocalRun localRun) {
    Optional<Woken> woken;
    Optional<Resumed> begun = Optional.empty();
    try {
      woken = execute(answer, localRun.owner());
      begun = woken.map(it -> begin(localRun, it, answer));
    } finally {
      if (begun.isEmpty()) {
        local.release(localRun);
      }
    }
    woken.ifPresent(this::cancelTimer);
    return begun;
  }

  private Optional<Woken> execute(Answer answer, String owner) {
    var asking = answer.asking().map(it -> it.view().summary());
    var audited = answer.audited();
    return jdbc.sql(SQL)
        .param("tenant", audited.map(it -> it.tenant().name()).orElse(null))
        .param("auditedCaller", audited.flatMap(AuditedCaller::id).orElse(null))
        .param("credential", audited.map(it -> it.credential().text()).orElse(null))
        .param("address", audited.flatMap(AuditedCaller::address).orElse(null))
        .param("action", AuditAction.INTERRUPT_ANSWER.text())
        .param("shown", Tenant.shown(answer.interrupt().id()))
        .param("objectKind", AuditAction.INTERRUPT_ANSWER.kind())
        .param("run", answer.run())
        .param("owner", owner)
        .param("form", StoredForm.NEWEST)
        .param("interrupt", answer.interrupt().id())
        .param("answer", StoredObject.bytes(answer.value()))
        .param("by", answer.as().stored().orElse(null))
        .param("people", answer.as().assignees().toArray(String[]::new))
        .param("epoch", answer.asking().map(AskingRun::epoch).orElse(null))
        .param("checkpoint", asking.map(it -> it.standing().checkpoint()).orElse(null))
        .param("created", asking.map(it -> it.times().createdAt().toString()).orElse(null))
        .query(Woken::of)
        .optional();
  }

  private Resumed begin(LocalRun localRun, Woken woken, Answer answer) {
    var claim = woken.claim();
    var header = claim.header();
    var inForce = limits.of(header.graph(), header.version(), woken.own());
    var progress =
        resting.goOn(new ClaimedRun(claim.lease(), woken.checkpoint(), woken.createdAt(), inForce));
    progress.ifPresent(localRun::watch);
    var image = image(woken, answer);
    local.begin(localRun, () -> image.map(claim::with).orElse(claim));
    return new Resumed(header.id(), woken.events() - 1, progress.map(it -> it));
  }

  /// The run as its driver left it here, with its first answer: nobody has to read it.
  private Optional<LoadedRun> image(Woken woken, Answer answer) {
    if (woken.answers() != 1 || woken.stored().isEmpty()) {
      return Optional.empty();
    }
    var given = new RunSignals.Answer(answer.interrupt().id(), answer.value());
    var signals = new RunSignals(List.of(given), List.of(), List.of(), woken.answers(), false);
    var header = woken.claim().header();
    try {
      var graph = graphs.compiled(header.graph(), header.version()).program().graph();
      return images.resting(header, woken.claim().lease(), graph, woken.stored().get(), signals);
    } catch (ServiceException _) {
      return Optional.empty(); // the driver says what is wrong with the graph
    }
  }

  private void cancelTimer(Woken woken) {
    woken.timer().ifPresent(it -> cancel(woken.claim().header().id(), it));
  }

  /// A wake-up that stays finds that the run does not wait for it.
  private void cancel(String run, long timer) {
    try {
      wakeUps.cancel(run, timer);
    } catch (DataAccessException e) {
      if (TransactionSynchronizationManager.isActualTransactionActive()) {
        throw e;
      }
      log.debug("The timer of run {} is not removed", run, e);
    }
  }
}
