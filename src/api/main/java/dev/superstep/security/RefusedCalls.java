package dev.superstep.security;

import dev.superstep.audit.AuditOutcome;
import dev.superstep.audit.AuditQueue;
import dev.superstep.audit.AuditQueue.AuditObject;
import dev.superstep.audit.AuditQueue.QueuedEvent;
import dev.superstep.audit.AuditSettings;
import dev.superstep.http.CallFailures;
import dev.superstep.problem.ServiceException;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;

/// Has it recorded who was refused, and what failed that would have changed something. Of a call
/// without a valid key nothing is recorded that it has sent: not its path, and not its key.
@Component
class RefusedCalls implements CallFailures {
  /// The kind of the object of such a call: what its path names.
  private static final String KIND = "path";

  private final AuditQueue queue;
  private final AuthenticatedCallers callers;
  private final AuditSettings settings;

  RefusedCalls(AuditQueue queue, AuthenticatedCallers callers, AuditSettings settings) {
    this.queue = queue;
    this.callers = callers;
    this.settings = settings;
  }

  @Override
  public void failed(HttpServletRequest request, ServiceException failure) {
    if (settings.enabled()) {
      switch (failure.code()) {
        case UNAUTHENTICATED -> add(request, "authenticate", Optional.empty(), failure);
        case FORBIDDEN, INSUFFICIENT_SCOPE -> add(request, operation(request), failure);
        default -> {
          if (changesSomething(request)) {
            add(request, operation(request), failure);
          }
        }
      }
    }
  }

  private void add(HttpServletRequest request, Optional<String> operation, ServiceException why) {
    add(request, operation.map("call."::concat).orElse("call"), object(request), why);
  }

  private void add(
      HttpServletRequest request,
      String action,
      Optional<AuditObject> object,
      ServiceException failure) {
    var outcome =
        switch (failure.code()) {
          case UNAUTHENTICATED, FORBIDDEN, INSUFFICIENT_SCOPE -> AuditOutcome.REFUSED;
          default -> AuditOutcome.FAILED;
        };
    var error = Optional.of(failure.code().code());
    queue.add(new QueuedEvent(callers.audited(request), action, object, outcome, error));
  }

  private static Optional<HandlerMethod> handler(HttpServletRequest request) {
    return request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE)
            instanceof HandlerMethod handler
        ? Optional.of(handler)
        : Optional.empty();
  }

  private static Optional<String> operation(HttpServletRequest request) {
    return handler(request)
        .map(it -> it.getMethodAnnotation(Operation.class))
        .map(Operation::operationId);
  }

  private static boolean changesSomething(HttpServletRequest request) {
    return handler(request)
        .map(it -> it.getMethodAnnotation(Requires.class))
        .filter(it -> Arrays.stream(it.value()).anyMatch(scope -> scope != ApiScope.READ))
        .isPresent();
  }

  private static Optional<AuditObject> object(HttpServletRequest request) {
    return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
                instanceof Map<?, ?> variables
            && !variables.isEmpty()
        ? Optional.of(
            new AuditObject(
                KIND,
                variables.values().stream().map(String::valueOf).collect(Collectors.joining("/"))))
        : Optional.empty();
  }
}
