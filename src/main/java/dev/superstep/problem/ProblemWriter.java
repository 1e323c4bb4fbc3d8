package dev.superstep.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/// Answers with a problem document outside of controllers: in filters, in security.
@Component
public class ProblemWriter {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private final JsonMapper json;

  ProblemWriter(JsonMapper json) {
    this.json = json;
  }

  /// Writes the whole answer; headers set before are kept.
  public void write(
      HttpServletRequest request, HttpServletResponse response, ServiceException failure)
      throws IOException {
    var body = json.writeValueAsBytes(Problem.of(failure, request.getRequestURI()));
    headers(failure.code()).forEach((name, values) -> response.setHeader(name, values.getFirst()));
    response.setStatus(failure.code().status().value());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /// When to come again, if that makes sense.
  static HttpHeaders headers(ErrorCode code) {
    var headers = new HttpHeaders();
    switch (code) {
      case OVERLOADED,
          DATABASE_UNAVAILABLE,
          STORED_BY_NEWER_RELEASE,
          QUOTA_EXCEEDED,
          RUN_QUOTA_EXCEEDED,
          STORAGE_QUOTA_EXCEEDED,
          STREAM_QUOTA_EXCEEDED ->
          headers.set(HttpHeaders.RETRY_AFTER, String.valueOf(RETRY_AFTER.toSeconds()));
      case UNAUTHENTICATED -> headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
      default -> {}
    }
    return headers;
  }
}
