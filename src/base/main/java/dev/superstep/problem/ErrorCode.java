package dev.superstep.problem;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;

/// The errors of requests, with the status and the code that clients rely on.
///
/// The codes of single [FieldError]s are an open set; these are the ones a whole answer can carry.
public enum ErrorCode {
  /// The body is no JSON or YAML at all, or is missing.
  UNREADABLE_BODY(HttpStatus.BAD_REQUEST),
  /// The request breaks HTTP itself.
  BAD_REQUEST(HttpStatus.BAD_REQUEST),

  UNAUTHENTICATED(HttpStatus.UNAUTHORIZED),
  /// What was sent as a webhook is not signed by who has its secret, or too long ago.
  INVALID_SIGNATURE(HttpStatus.UNAUTHORIZED),
  FORBIDDEN(HttpStatus.FORBIDDEN),
  /// The key or token lacks the scope that the operation requires.
  INSUFFICIENT_SCOPE(HttpStatus.FORBIDDEN),

  /// No such path.
  NOT_FOUND(HttpStatus.NOT_FOUND),
  GRAPH_NOT_FOUND(HttpStatus.NOT_FOUND),
  VERSION_NOT_FOUND(HttpStatus.NOT_FOUND),
  RUN_NOT_FOUND(HttpStatus.NOT_FOUND),
  THREAD_NOT_FOUND(HttpStatus.NOT_FOUND),
  CHECKPOINT_NOT_FOUND(HttpStatus.NOT_FOUND),
  INTERRUPT_NOT_FOUND(HttpStatus.NOT_FOUND),
  TASK_NOT_FOUND(HttpStatus.NOT_FOUND),
  CALLBACK_NOT_FOUND(HttpStatus.NOT_FOUND),
  KEY_NOT_FOUND(HttpStatus.NOT_FOUND),
  ASSISTANT_NOT_FOUND(HttpStatus.NOT_FOUND),
  SCHEDULE_NOT_FOUND(HttpStatus.NOT_FOUND),
  /// No graph has this webhook.
  HOOK_NOT_FOUND(HttpStatus.NOT_FOUND),
  WEBHOOK_NOT_FOUND(HttpStatus.NOT_FOUND),
  /// The webhook has no delivery of this id, or not any more.
  DELIVERY_NOT_FOUND(HttpStatus.NOT_FOUND),

  METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED),
  NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE),

  /// The graph cannot be deleted: runs of it are active.
  GRAPH_IN_USE(HttpStatus.CONFLICT),
  /// The run id is taken by a run that was started with another body.
  RUN_EXISTS(HttpStatus.CONFLICT),
  /// The run has not ended.
  RUN_ACTIVE(HttpStatus.CONFLICT),
  /// The run has ended in a way that this call cannot change.
  RUN_ENDED(HttpStatus.CONFLICT),
  /// The run is owned or queued; it must be at rest for this call.
  RUN_NOT_AT_REST(HttpStatus.CONFLICT),
  RUN_NOT_RESUMABLE(HttpStatus.CONFLICT),
  NOTHING_TO_RESUME(HttpStatus.CONFLICT),
  /// The run has stopped already, at a question or a breakpoint, or has failed.
  NOTHING_TO_PAUSE(HttpStatus.CONFLICT),
  THREAD_BUSY(HttpStatus.CONFLICT),
  /// There is a thread of this id.
  THREAD_EXISTS(HttpStatus.CONFLICT),
  /// The run has a message of this id that says something else.
  MESSAGE_EXISTS(HttpStatus.CONFLICT),
  INTERRUPT_CLOSED(HttpStatus.CONFLICT),
  /// The question is somebody else's.
  INTERRUPT_CLAIMED(HttpStatus.CONFLICT),
  /// Another worker has the task, or nobody wants it any more.
  TASK_LEASE_LOST(HttpStatus.CONFLICT),
  CALLBACK_ANSWERED(HttpStatus.CONFLICT),
  /// The callback has not been answered in time, or nobody waits for it any more.
  CALLBACK_CLOSED(HttpStatus.CONFLICT),
  /// Another step of the task is recorded at the place.
  STEP_MISMATCH(HttpStatus.CONFLICT),
  /// A processor or transform of the prompt context fails.
  CONTEXT_UNAVAILABLE(HttpStatus.CONFLICT),
  /// An answer without an id while several interrupts are open.
  INTERRUPT_AMBIGUOUS(HttpStatus.CONFLICT),
  IDEMPOTENCY_IN_PROGRESS(HttpStatus.CONFLICT),
  /// There is an assistant of this id.
  ASSISTANT_EXISTS(HttpStatus.CONFLICT),
  /// There is a schedule of this id.
  SCHEDULE_EXISTS(HttpStatus.CONFLICT),
  /// There is a key of this name.
  KEY_EXISTS(HttpStatus.CONFLICT),
  /// Another request changed the resource first.
  CONFLICT(HttpStatus.CONFLICT),

  /// The body did not come within its time.
  REQUEST_TIMEOUT(HttpStatus.REQUEST_TIMEOUT),
  BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE),
  UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE),

  /// Several things are wrong with the content; `errors` lists them.
  INVALID_REQUEST(HttpStatus.UNPROCESSABLE_CONTENT),
  UNKNOWN_FIELD(HttpStatus.UNPROCESSABLE_CONTENT),
  DUPLICATE_KEY(HttpStatus.UNPROCESSABLE_CONTENT),
  MISSING_FIELD(HttpStatus.UNPROCESSABLE_CONTENT),
  WRONG_TYPE(HttpStatus.UNPROCESSABLE_CONTENT),
  INVALID_VALUE(HttpStatus.UNPROCESSABLE_CONTENT),
  UNKNOWN_PARAMETER(HttpStatus.UNPROCESSABLE_CONTENT),
  INVALID_PARAMETER(HttpStatus.UNPROCESSABLE_CONTENT),
  INVALID_HEADER(HttpStatus.UNPROCESSABLE_CONTENT),
  NUMBER_NOT_REPRESENTABLE(HttpStatus.UNPROCESSABLE_CONTENT),
  NUL_CHARACTER(HttpStatus.UNPROCESSABLE_CONTENT),
  LONE_SURROGATE(HttpStatus.UNPROCESSABLE_CONTENT),
  TOO_DEEP(HttpStatus.UNPROCESSABLE_CONTENT),
  INVALID_DEFINITION(HttpStatus.UNPROCESSABLE_CONTENT),
  /// Tests of the definition fail, and it was to be stored only if they do not.
  TESTS_FAILED(HttpStatus.UNPROCESSABLE_CONTENT),
  INVALID_EXPRESSION(HttpStatus.UNPROCESSABLE_CONTENT),
  /// The input of a run does not fit the graph's schema or its reducers.
  INVALID_INPUT(HttpStatus.UNPROCESSABLE_CONTENT),
  /// The answer does not fit the interrupt's schema.
  INVALID_ANSWER(HttpStatus.UNPROCESSABLE_CONTENT),
  INVALID_CHANGE(HttpStatus.UNPROCESSABLE_CONTENT),
  LIMIT_EXCEEDED(HttpStatus.UNPROCESSABLE_CONTENT),
  IDEMPOTENCY_KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT),
  NOT_SUPPORTED(HttpStatus.UNPROCESSABLE_CONTENT),
  /// The content of the request takes too long to parse, compile, check or evaluate.
  DEADLINE_EXCEEDED(HttpStatus.UNPROCESSABLE_CONTENT),

  QUOTA_EXCEEDED(HttpStatus.TOO_MANY_REQUESTS),
  /// The caller or its tenant has as many active runs as it may have.
  RUN_QUOTA_EXCEEDED(HttpStatus.TOO_MANY_REQUESTS),
  /// The caller or its tenant stores as much as it may store.
  STORAGE_QUOTA_EXCEEDED(HttpStatus.TOO_MANY_REQUESTS),
  /// The caller or its tenant has as many streams open as it may have.
  STREAM_QUOTA_EXCEEDED(HttpStatus.TOO_MANY_REQUESTS),
  /// The caller or its tenant makes more requests a second than it may.
  RATE_LIMITED(HttpStatus.TOO_MANY_REQUESTS),
  /// What the operator lets be spent on models is spent.
  BUDGET_EXHAUSTED(HttpStatus.TOO_MANY_REQUESTS),

  /// An HTTP method or a transfer coding that the server does not know.
  NOT_IMPLEMENTED(HttpStatus.NOT_IMPLEMENTED),

  /// A bug.
  INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR),

  OVERLOADED(HttpStatus.SERVICE_UNAVAILABLE),
  /// A part is erased; the same call erases more.
  ERASURE_UNFINISHED(HttpStatus.SERVICE_UNAVAILABLE),
  /// A newer release has stored it, in a format that this replica cannot read.
  STORED_BY_NEWER_RELEASE(HttpStatus.SERVICE_UNAVAILABLE),
  /// The secret of the webhook, or the key of which it is made, is not there, or who has posted the
  /// graph may start no runs.
  HOOK_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE),
  DATABASE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE);

  private final HttpStatus status;

  ErrorCode(HttpStatus status) {
    this.status = status;
  }

  public HttpStatus status() {
    return status;
  }

  /// As clients see it: `run_not_found`.
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ErrorCode> find(String code) {
    return Stream.of(values()).filter(it -> it.code().equals(code)).findFirst();
  }

  /// The problem type of RFC 9457.
  public URI type() {
    return URI.create("urn:superstep:problem:" + code());
  }

  /// A short text for people, the same for every occurrence.
  public String title() {
    return name().charAt(0) + code().substring(1).replace('_', ' ');
  }
}
