package dev.superstep.security;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.audit.AuditQueue;
import dev.superstep.audit.AuditQueue.QueuedEvent;
import dev.superstep.problem.AuditedCaller;
import dev.superstep.problem.AuditedCaller.Credential;
import dev.superstep.security.SessionRows.SessionRow;
import dev.superstep.tenant.Tenant;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/// Has it recorded who signs in and out, in the transaction that does it, and who could not. Of
/// strangers nothing is recorded that they have sent.
@Component
class SignInAudit {
  private static final String CALLER = SignInAudit.class.getName();
  private final AuditLog log;
  private final AuditQueue queue;
  private final AuthenticatedCallers callers;

  SignInAudit(AuditLog log, AuditQueue queue, AuthenticatedCallers callers) {
    this.log = log;
    this.queue = queue;
    this.callers = callers;
  }

  /// Starts a session.
  ///
  /// @param insert whether there was room for it
  boolean start(SessionRow session, BooleanSupplier insert) {
    return log.inTransaction(() -> {
      boolean fits = insert.getAsBoolean();
      if (fits) {
        record(AuditAction.SESSION_START, session);
      }
      return fits;
    });
  }

  /// Ends a session.
  ///
  /// @param end empty: it had ended before
  void end(Supplier<Optional<SessionRow>> end) {
    log.inTransaction(() -> {
      var session = end.get();
      session.ifPresent(it -> record(AuditAction.SESSION_END, it));
      return session;
    });
  }

  private void record(AuditAction action, SessionRow session) {
    callers
        .audited()
        .map(it -> known(it, new Tenant(session.tenant()), session.caller()))
        .ifPresent(it -> log.record(it, action, session.name()));
  }

  /// The provider has said who this is.
  static void identify(HttpServletRequest request, Caller caller) {
    request.setAttribute(CALLER, caller);
  }

  /// Somebody could not sign in.
  void failed(HttpServletRequest request, SignInFailure failure) {
    callers
        .audited()
        .map(it ->
            request.getAttribute(CALLER) instanceof Caller caller
                ? known(it, caller.tenant(), caller.id())
                : it)
        .map(it ->
            new QueuedEvent(
                it,
                AuditAction.SESSION_START.text(),
                Optional.empty(),
                failure.outcome(),
                Optional.of(failure.code())))
        .ifPresent(it -> queue.add(it));
  }

  private static AuditedCaller known(AuditedCaller request, Tenant tenant, String id) {
    return new AuditedCaller(tenant, Optional.of(id), Credential.TOKEN, request.address());
  }
}
