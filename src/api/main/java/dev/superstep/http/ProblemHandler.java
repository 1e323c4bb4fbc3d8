package dev.superstep.http;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

/// Turns every exception into an HTTP answer; the only class that does.
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class ProblemHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);
  private static final Duration TRACE_AGAIN = Duration.ofMinutes(1);
  private static final int KINDS_MAX = 100;
  private final Map<String, Long> traced = new ConcurrentHashMap<>();
  private final ProblemWriter writer;

  ProblemHandler(ProblemWriter writer) {
    this.writer = writer;
  }

  /// The client has disconnected: no answer is possible.
  @ExceptionHandler
  void ignore(AsyncRequestNotUsableException goneClient) {
    LOG.debug("the client is gone", goneClient);
  }

  @ExceptionHandler
  @Nullable ResponseEntity<Object> answer(
      Exception failure, HttpServletRequest request, HttpServletResponse response) {
    var cause = FailureMapping.translate(failure);
    if (response.isCommitted() && failure instanceof HttpMessageNotWritableException) {
      LOG.debug("the client left before its answer was written", failure);
      return null;
    }
    log(cause, failure, request);
    if (response.isCommitted()) {
      return null;
    }
    var headers = new HttpHeaders();
    if (failure instanceof ErrorResponse spring) {
      headers.putAll(spring.getHeaders());
    }
    headers.putAll(ProblemWriter.headers(cause));
    if (cause.code() == ErrorCode.INSUFFICIENT_SCOPE) {
      headers.set(
          HttpHeaders.WWW_AUTHENTICATE,
          "Bearer error=\"insufficient_scope\", scope=\"%s\""
              .formatted(cause.members().get("scope")));
    }
    var answer = writer.answer(request, cause);
    headers.setContentType(answer.type());
    return ResponseEntity.status(cause.code().status()).headers(headers).body(answer.body());
  }

  private void log(ServiceException cause, Exception failure, HttpServletRequest request) {
    var call = request.getMethod() + " " + request.getRequestURI();
    switch (cause.code()) {
      case INTERNAL_ERROR -> logUnexpected(call, failure);
      case DATABASE_UNAVAILABLE ->
          LOG.warn("{} failed without a database connection; the client gets a 503", call, failure);
      default -> LOG.debug("{} refused: {}", call, cause.detail());
    }
  }

  /// The first of a kind in a minute with its trace; the others are a line each, so that who finds
  /// a way to a 500 does not fill the log.
  private void logUnexpected(String call, Exception failure) {
    var frames = failure.getStackTrace();
    var kind = failure.getClass().getName() + (frames.length == 0 ? "" : frames[0]);
    var now = System.nanoTime();
    if (traced.size() > KINDS_MAX) {
      traced.clear();
    }
    var last = traced.get(kind);
    if (last == null || now - last > TRACE_AGAIN.toNanos()) {
      traced.put(kind, now);
      LOG.error("{} failed; the client gets a 500", call, failure);
    } else {
      LOG.error("{} failed like another call just before; the client gets a 500: {}", call, kind);
    }
  }
}
