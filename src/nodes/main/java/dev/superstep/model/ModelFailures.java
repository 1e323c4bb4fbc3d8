package dev.superstep.model;

import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.model.identity.IdentityException;
import dev.superstep.secret.MissingSecretException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.transport.BodyDecoder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.ConnectTimeoutException;
import tools.jackson.core.JacksonException;

/// Maps failed model calls to error codes and decides whether another attempt may help.
final class ModelFailures {
  private static final Pattern CONTEXT =
      Pattern.compile(
          "(?i)context[ _-]?(length|window|size)|maximum context|prompt is too long|too many"
              + " tokens");
  private static final Pattern FILTER =
      Pattern.compile("(?i)content[ _-]?(filter|policy|management)");
  private static final Pattern CONTROLS = Pattern.compile("\\p{Cntrl}+");
  private static final int EXCERPT_CHARS = 300;
  private static final int DEPTH_MAX = 20;
  private final String name;
  private final ApiKey apiKey;

  ModelFailures(String name, ApiKey apiKey) {
    this.name = name;
    this.apiKey = apiKey;
  }

  /// @throws InterruptedException if the caller was interrupted, however that shows
  ModelException of(Throwable thrown) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    int depth = 0;
    for (Throwable cause = thrown; cause != null && depth < DEPTH_MAX; cause = cause.getCause()) {
      var error = error(cause);
      if (error.isPresent()) {
        return new ModelException(error.get(), thrown);
      }
      depth++;
    }
    return new ModelException(unreadable(), thrown);
  }

  private TaskError unproved(IdentityException e) {
    var message = "model '%s': %s".formatted(name, excerpt(String.valueOf(e.getMessage())));
    return e.passes()
        ? TaskError.retryable("model_unavailable", message)
        : TaskError.permanent("model_unauthorized", message);
  }

  private TaskError late() {
    return TaskError.retryable("node_timeout", "model '%s' did not answer in time".formatted(name));
  }

  private TaskError unreadable() {
    return TaskError.retryable(
        "model_bad_answer",
        "the answer of model '%s' cannot be read as what it should be".formatted(name));
  }

  private Optional<TaskError> error(Throwable cause) throws InterruptedException {
    return switch (cause) {
      case ModelException e -> Optional.of(e.error());
      case InterruptedException e -> throw e;
      case HttpStatusException e -> Optional.of(status(e));
      case IdentityException e -> Optional.of(unproved(e));
      case ScriptedException e ->
          Optional.of(
              status(
                  new HttpStatusException(
                      e.status(), String.valueOf(e.getMessage()), e.retryAfter())));
      case AnswerDraft.BrokenException e ->
          Optional.of(
              TaskError.retryable(
                  e.code(),
                  "model '%s': %s".formatted(name, excerpt(String.valueOf(e.getMessage())))));
      case MissingSecretException e ->
          Optional.of(
              TaskError.permanent(
                  "model_unauthorized", "model '%s': %s".formatted(name, e.getMessage())));
      case BodyDecoder.TooLargeException e ->
          Optional.of(
              TaskError.permanent(
                  "model_bad_answer", "model '%s': %s".formatted(name, e.getMessage())));
      case BodyDecoder.EncodingException _, JacksonException _ -> Optional.of(unreadable());
      case ConnectTimeoutException _ ->
          Optional.of(
              TaskError.retryable(
                  "model_unreachable", "no connection to model '%s' in time".formatted(name)));
      case InterruptedIOException _, TimeoutException _ -> Optional.of(late());
      case IOException e when !(e.getCause() instanceof IOException) ->
          Optional.of(
              TaskError.retryable(
                  "model_unreachable",
                  "model '%s' cannot be reached: %s"
                      .formatted(name, excerpt(String.valueOf(e.getMessage())))));
      default -> Optional.empty();
    };
  }

  private TaskError status(HttpStatusException e) {
    var said = said(e.body());
    var code = code(e.status(), e.body());
    boolean passes =
        switch (code) {
          case "model_rate_limited", "model_unavailable" -> true;
          default -> false;
        };
    return new TaskError(
        code,
        "model '%s' answered %d%s".formatted(name, e.status(), said.isEmpty() ? "" : ": " + said),
        passes ? Retryable.YES : Retryable.NO,
        passes ? e.retryAfter() : Optional.empty(),
        ObjectValue.of("status", e.status()));
  }

  private static String code(int status, String body) {
    return switch (status) {
      case 401, 403 -> "model_unauthorized";
      case 404 -> "model_not_found";
      case 408, 409, 425 -> "model_unavailable";
      case 429 ->
          body.contains("insufficient_quota") ? "model_quota_exceeded" : "model_rate_limited";
      default -> status >= 500 ? "model_unavailable" : refused(body);
    };
  }

  private static String refused(String body) {
    if (CONTEXT.matcher(body).find()) {
      return "context_length_exceeded";
    }
    return FILTER.matcher(body).find() ? "content_filter" : "model_bad_request";
  }

  /// The shortened body of the answer, with the key removed.
  private String said(String body) {
    try {
      if (Json.read(body) instanceof ObjectValue object) {
        var error = object.getOr("error", object);
        if (error instanceof ObjectValue inner
            && inner.get("message") instanceof Value.Text(var message)) {
          return excerpt(message);
        }
        return error instanceof Value.Text(var text) ? excerpt(text) : "";
      }
    } catch (JsonException _) {
      // not JSON: its beginning will do
    }
    return excerpt(body);
  }

  private String excerpt(String text) {
    var words = CONTROLS.matcher(apiKey.scrub(text)).replaceAll(" ").strip();
    return words.codePointCount(0, words.length()) <= EXCERPT_CHARS
        ? words
        : words.substring(0, words.offsetByCodePoints(0, EXCERPT_CHARS)) + "…";
  }
}
