package dev.superstep.client;

import dev.superstep.client.model.FieldError;
import dev.superstep.client.model.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The service refused a request.
public class ApiException extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final transient Problem problem;
  private final Duration retryAfter;

  ApiException(int status, Problem problem, Duration retryAfter) {
    super(message(status, problem), null);
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  static ApiException of(int status, Problem problem, Duration retryAfter) {
    return switch (status) {
      case 401, 403 -> new AccessDeniedException(status, problem, retryAfter);
      case 404 -> new NotFoundException(status, problem, retryAfter);
      case 409 -> new ConflictException(status, problem, retryAfter);
      case 408, 429, 502, 503, 504 -> new OverloadedException(status, problem, retryAfter);
      default ->
          status < 500
              ? new InvalidRequestException(status, problem, retryAfter)
              : new ApiException(status, problem, retryAfter);
    };
  }

  public int status() {
    return status;
  }

  /// Does not change from release to release: `run_not_found`.
  public String code() {
    return code(status, problem);
  }

  /// For people.
  public String detail() {
    return problem.detail() == null ? "" : problem.detail();
  }

  /// What is wrong with the content, all at once, each with a JSON pointer.
  public List<FieldError> violations() {
    return problem.errors() == null ? List.of() : List.copyOf(problem.errors());
  }

  /// When the service wants to be asked again.
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /// The whole answer; of a proxy it has no more than a status.
  public Problem problem() {
    return problem;
  }

  private static String code(int status, Problem problem) {
    return problem.code() == null ? "http_" + status : problem.code();
  }

  private static String message(int status, Problem problem) {
    var violations = problem.errors() == null ? List.<FieldError>of() : problem.errors();
    return violations.stream()
        .map(it -> "\n  " + it.pointer() + ": " + it.message())
        .collect(
            Collectors.joining(
                "", "%d %s: %s".formatted(status, code(status, problem), problem.detail()), ""));
  }

  /// Whether the service itself says so, and will say so again: not a proxy, and not a failure.
  static boolean isWord(Throwable failure) {
    return failure instanceof ApiException refusal
        && !(refusal instanceof OverloadedException)
        && refusal.status() < 500
        && !refusal.code().equals("http_" + refusal.status());
  }

  /// Whether the task is another worker's, or nobody's.
  static boolean isLost(Throwable failure) {
    return isWord(failure)
        && (failure instanceof ConflictException || failure instanceof NotFoundException)
        && !((ApiException) failure).code().equals(Steps.MISMATCH);
  }
}
