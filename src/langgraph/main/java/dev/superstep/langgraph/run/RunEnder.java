package dev.superstep.langgraph.run;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.RunCalls.CalledRun;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.run.ThreadQueries;
import dev.superstep.security.ApiScope;
import dev.superstep.security.AuthenticatedCallers;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Cancels runs and erases them, as clients of this API count them.
@Component
@OnLangGraph
class RunEnder {
  private static final Logger log = LoggerFactory.getLogger(RunEnder.class);

  /// How long a rollback waits for the driver before it leaves the run to retention.
  private static final Duration ERASURE = Duration.ofSeconds(10);

  private static final Duration END = Duration.ofMinutes(10);

  private final RunService runs;
  private final RunQueries queries;
  private final ThreadQueries threads;
  private final RunCallRows rows;
  private final RunAwaiter awaiter;
  private final AuthenticatedCallers callers;
  private final AuditLog audit;

  RunEnder(
      RunService runs,
      RunQueries queries,
      ThreadQueries threads,
      RunCallRows rows,
      RunAwaiter awaiter,
      AuthenticatedCallers callers,
      AuditLog audit) {
    this.audit = audit;
    this.runs = runs;
    this.queries = queries;
    this.threads = threads;
    this.callers = callers;
    this.rows = rows;
    this.awaiter = awaiter;
  }

  /// What becomes of what the run has committed.
  enum EndAction {
    INTERRUPT,
    ROLLBACK
  }

  /// Ends a run. One that has ended, or has stopped at a question, stays as it is. One that is
  /// rolled back is erased by callers that may erase runs.
  ///
  /// @param waits whether to return only when it is over
  void cancel(CalledRun found, EndAction action, boolean waits) {
    var run = found.call().run();
    if (found.call().until().isPresent() || found.call().nothing() || isOver(run)) {
      return;
    }
    if (action == EndAction.INTERRUPT) {
      boolean _ = end(() -> runs.cancel(run));
      if (waits) {
        awaiter.await(run, END);
      }
      return;
    }
    if (found.call().after() > 0) {
      throw new ServiceException(
          ErrorCode.INVALID_VALUE,
          "the run goes on with one that has stopped at a question; what that has committed before"
              + " would be gone, too: cancel it with action=interrupt and begin a run from the"
              + " checkpoint before the answer");
    }
    if (!end(() -> runs.rollBack(run))) {
      return;
    }
    if (!waits) {
      eraseSoon(found.call());
    } else if (mayErase()) {
      erase(found.call());
    } else {
      awaiter.await(run, ERASURE);
    }
  }

  private boolean mayErase() {
    return callers.scopes().contains(ApiScope.OPERATE);
  }

  /// Erases a run that was rolled back, once its driver has left it. If the caller may not erase
  /// runs, or this server ends before that, it stays, outside of its thread, until retention
  /// removes it.
  void eraseSoon(RunCall call) {
    if (mayErase()) {
      Thread.ofVirtual().name("erase-rolled-back").start(() -> erase(call));
    }
  }

  /// Erases a run if it was rolled back. One that its thread has ended before that could happen.
  void erase(RunCall call) {
    var run = call.run();
    awaiter.await(run, ERASURE);
    try {
      if (call.thread().filter(it -> has(it, run)).isEmpty()) {
        boolean _ = end(() -> runs.delete(run));
      }
    } catch (ServiceException | DataAccessException | TransactionException e) {
      log.info("Run {}, which was rolled back, stays until retention removes it", run, e);
    }
  }

  private boolean has(String thread, String run) {
    var at = new CheckpointRef(run, queries.summary(run).standing().checkpoint());
    return threads.checkpoint(thread, at).isPresent();
  }

  private boolean isOver(String run) {
    return queries.summary(run).status().atRest();
  }

  /// A run may end by itself meanwhile.
  ///
  /// @return whether the call was carried out
  private static boolean end(Runnable call) {
    try {
      call.run();
      return true;
    } catch (ServiceException e) {
      return switch (e.code()) {
        case RUN_ENDED, RUN_NOT_FOUND, RUN_ACTIVE -> {
          log.debug("nothing to end: {}", e.detail());
          yield false;
        }
        default -> throw e;
      };
    }
  }

  /// Erases a run with what it has committed; of one that goes on with another, only that it was
  /// asked for.
  void delete(CalledRun found) {
    if (found.call().after() > 0 || found.call().nothing()) {
      if (found.run().status().active() && found.run().status() != RunStatus.INTERRUPTED) {
        throw new ServiceException(
            ErrorCode.RUN_ACTIVE,
            "run '%s' is active; cancel it before deleting it".formatted(found.call().id()));
      }
      var call = found.call().id();
      audit.recorded(AuditAction.RUN_DELETE, call, () -> rows.delete(call));
      return;
    }
    var run = found.call().run();
    if (found.run().status() == RunStatus.INTERRUPTED) {
      boolean _ = end(() -> runs.cancel(run));
    }
    runs.delete(run);
  }
}
