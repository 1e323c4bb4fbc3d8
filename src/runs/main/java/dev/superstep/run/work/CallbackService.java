package dev.superstep.run.work;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.work.CallbackToken;
import dev.superstep.checkpoint.work.Callbacks;
import dev.superstep.checkpoint.work.Callbacks.CallbackState;
import dev.superstep.checkpoint.work.Callbacks.StoredCallback;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.problem.AuditedCaller;
import dev.superstep.problem.AuditedCaller.Credential;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.work.ExpectedEnds.ExpectingTask;
import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Takes the answers of the outside to what tasks of runs expect from it (E51). Whoever has a token
/// may answer, of whichever tenant the run is. When a method returns, its effect is on disk.
@Component
public class CallbackService {
  private final Callbacks callbacks;
  private final ExpectedEnds ends;
  private final AuditLog audit;

  CallbackService(Callbacks callbacks, ExpectedEnds ends, AuditLog audit) {
    this.callbacks = callbacks;
    this.ends = ends;
    this.audit = audit;
  }

  /// Refuses what is no token of an open callback.
  public void require(String token) {
    var parsed = parse(token);
    parsed.tenant().within(() -> open(parsed));
  }

  /// Ends a callback. Of several answers one counts, and the others change nothing.
  public void end(String token, WorkerEnd end) {
    var parsed = parse(token);
    parsed
        .tenant()
        .within(() -> {
          var callback = open(parsed);
          if (!ends.end(expecting(callback), end, Optional.empty(), () -> isRecorded(callback))) {
            throw closed(find(parsed));
          }
          return true;
        });
  }

  /// The log of the tenant of the run has it, without a name: the token is all that is known.
  private boolean isRecorded(StoredCallback callback) {
    audit
        .caller()
        .map(it ->
            new AuditedCaller(
                Tenant.of(callback.id()), Optional.empty(), Credential.NONE, it.address()))
        .ifPresent(it ->
            audit.record(
                it,
                AuditAction.CALLBACK_ANSWER,
                "%s#%s".formatted(callback.run(), callback.task())));
    return true;
  }

  /// Prolongs a callback whose task wants to hear of it.
  ///
  /// @return until when it need not be heard of again
  public Instant heartbeat(String token) {
    var parsed = parse(token);
    return parsed
        .tenant()
        .within(() -> {
          var callback = open(parsed);
          return callbacks.heartbeat(callback.id()).orElseThrow(() -> closed(find(parsed)));
        });
  }

  private static ExpectingTask expecting(StoredCallback callback) {
    return new ExpectingTask(callback.run(), callback.task(), callback.id());
  }

  private StoredCallback open(CallbackToken token) {
    var callback = find(token);
    if (callback.state() != CallbackState.OPEN) {
      throw closed(callback);
    }
    return callback;
  }

  private StoredCallback find(CallbackToken token) {
    return callbacks.find(token).orElseThrow(CallbackService::notFound);
  }

  /// What is no token is answered like one of nothing.
  private static CallbackToken parse(String token) {
    return CallbackToken.parse(token).orElseThrow(CallbackService::notFound);
  }

  private static ServiceException notFound() {
    return new ServiceException(
        ErrorCode.CALLBACK_NOT_FOUND, "there is no callback with this token");
  }

  private static ServiceException closed(StoredCallback callback) {
    return callback.state() == CallbackState.ANSWERED
        ? new ServiceException(
            ErrorCode.CALLBACK_ANSWERED, "the callback has been answered; nothing has changed")
        : new ServiceException(
            ErrorCode.CALLBACK_CLOSED,
            "the time of the callback is over, or no run waits for it any more; nothing has"
                + " changed");
  }
}
