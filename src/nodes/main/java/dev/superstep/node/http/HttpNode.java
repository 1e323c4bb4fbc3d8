package dev.superstep.node.http;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.TaskError;
import dev.superstep.expression.Expression;
import dev.superstep.node.Answers;
import dev.superstep.node.CallbackWait;
import dev.superstep.node.MockableNode;
import dev.superstep.secret.Secrets;
import dev.superstep.secret.SecretsOfCall;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/// Sends the request of an `http` node and follows its redirects.
///
/// @param url evaluated for every attempt
/// @param callback with which it ends, in place of the reply
record HttpNode(
    Expression url,
    Headers headers,
    Mode mode,
    Redirects.Follow follow,
    HttpCalls calls,
    Secrets secrets,
    Optional<CallbackWait> callback)
    implements MockableNode {

  @Override
  public Outcome run(NodeCall call) throws InterruptedException {
    var end = call.callbackEnd();
    if (end.isPresent()) {
      return CallbackWait.ended(end.get(), it -> mode.answered(call, it));
    }
    try {
      var open = open(call);
      var uri = uri(call);
      var sent = secrets.ofCall();
      var outcome = answer(call, mode.request(call, uri, headers.of(call, uri, sent)), sent);
      return open.isPresent() && outcome instanceof Outcome.Done
          ? new Outcome.Callback(open.get())
          : outcome;
    } catch (BadRequestException e) {
      return new Outcome.Failed(
          TaskError.permanent("http_bad_request", String.valueOf(e.getMessage())));
    }
  }

  private Optional<OpenCallback> open(NodeCall call) throws InterruptedException {
    return callback.isEmpty() ? Optional.empty() : Optional.of(callback.get().open(call));
  }

  /// Its tasks stay with the driver of their run, which reads the answers.
  @Override
  public boolean keepsParts() {
    return callback.isPresent();
  }

  /// Secrets are not read: nothing is sent.
  @Override
  public NodeRunner answeredBy(Answers answers) {
    var open = headers.withoutSecrets();
    return call -> {
      try {
        var _ = open(call);
        var uri = uri(call);
        mode.request(call, uri, open.of(call, uri, secrets.ofCall()));
        return callback.isPresent()
            ? mode.answered(call, answers.of(call))
            : mode.outcome(call, mode.reply(uri, answers.of(call)), calls.failures());
      } catch (BadRequestException e) {
        return new Outcome.Failed(
            TaskError.permanent("http_bad_request", String.valueOf(e.getMessage())));
      }
    };
  }

  private URI uri(NodeCall call) {
    return switch (url.evaluate(call)) {
      case Value.Text(var text) -> Urls.parse(text);
      case Value other ->
          throw new BadRequestException("the url must be a text; got " + other.typeName());
    };
  }

  private Outcome answer(NodeCall call, HttpCall request, SecretsOfCall sent)
      throws InterruptedException {
    var body = request.body();
    if (body != null && body.length > calls.requestMax()) {
      throw new BadRequestException(
          "the request has %d bytes; superstep.http.request-max allows %d; see state_keys"
              .formatted(body.length, calls.requestMax()));
    }
    try {
      var reply =
          calls
              .redirects()
              .send(request, follow, left(call), mode.listener(call, sent))
              .without(sent);
      return reply.isRedirect()
          ? new Outcome.Failed(refused(reply))
          : mode.outcome(call, reply, calls.failures());
    } catch (IOException | TimeoutException e) {
      return new Outcome.Failed(without(sent, HttpFailures.exchange(request.uri(), e)));
    }
  }

  /// What cannot be read is quoted, and may show what was sent.
  private static TaskError without(SecretsOfCall sent, TaskError error) {
    return new TaskError(
        error.code(),
        sent.scrub(error.message()),
        error.retryable(),
        error.retryAfter(),
        error.details());
  }

  private TaskError refused(HttpReply reply) {
    return switch (follow) {
      case YES -> HttpFailures.tooManyRedirects(reply);
      case NO -> HttpFailures.redirect(reply);
    };
  }

  private Duration left(NodeCall call) throws TimeoutException {
    var left =
        call.deadline().map(it -> Duration.between(call.clock(), it)).orElse(calls.timeout());
    if (!left.isPositive()) {
      throw new TimeoutException();
    }
    return left;
  }
}
