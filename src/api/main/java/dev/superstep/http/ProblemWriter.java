package dev.superstep.http;

import dev.superstep.problem.ServiceException;
import dev.superstep.tenant.Tenant;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/// Answers with a problem document outside of controllers: in filters, in security.
@Component
public class ProblemWriter {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private final JsonMapper json;
  private final List<ErrorForm> forms;
  private final List<CallFailures> listeners;

  ProblemWriter(JsonMapper json, List<ErrorForm> forms, List<CallFailures> listeners) {
    this.listeners = List.copyOf(listeners);
    this.json = json;
    this.forms = List.copyOf(forms);
  }

  /// What the answer of a call has that fails now: a problem document, unless its clients read
  /// another form.
  WrittenProblem answer(HttpServletRequest request, ServiceException happened) {
    listeners.forEach(it -> it.failed(request, happened));
    var failure = happened.said(Tenant.current()::shownIn);
    for (var form : forms) {
      if (form.covers(request)) {
        return new WrittenProblem(MediaType.APPLICATION_JSON, form.body(failure));
      }
    }
    return new WrittenProblem(
        MediaType.APPLICATION_PROBLEM_JSON, Problem.of(failure, request.getRequestURI()));
  }

  record WrittenProblem(MediaType type, Object body) {}

  /// Writes the whole answer; headers set before are kept.
  public void write(
      HttpServletRequest request, HttpServletResponse response, ServiceException failure)
      throws IOException {
    var answer = answer(request, failure);
    var body = json.writeValueAsBytes(answer.body());
    headers(failure).forEach((name, values) -> response.setHeader(name, values.getFirst()));
    response.setStatus(failure.code().status().value());
    response.setContentType(answer.type().toString());
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /// When to come again, if that makes sense.
  static HttpHeaders headers(ServiceException failure) {
    var headers = new HttpHeaders();
    switch (failure.code()) {
      case OVERLOADED,
          DATABASE_UNAVAILABLE,
          STORED_BY_NEWER_RELEASE,
          QUOTA_EXCEEDED,
          RUN_QUOTA_EXCEEDED,
          STORAGE_QUOTA_EXCEEDED,
          STREAM_QUOTA_EXCEEDED ->
          headers.set(HttpHeaders.RETRY_AFTER, String.valueOf(RETRY_AFTER.toSeconds()));
      case BUDGET_EXHAUSTED, RATE_LIMITED ->
          headers.set(
              HttpHeaders.RETRY_AFTER, String.valueOf(failure.members().get("retry_after")));
      case UNAUTHENTICATED -> headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
      default -> {}
    }
    return headers;
  }
}
