package dev.superstep.node.http;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.TaskError;
import dev.superstep.secret.SecretsOfCall;
import dev.superstep.state.value.Value;
import java.net.URI;
import java.util.Map;

/// A mode of an `http` node: builds its request and turns the answer into an outcome.
sealed interface Mode permits FunctionMode, RequestMode {

  /// @param headers sent with every request of the node
  HttpCall request(NodeCall call, URI uri, Map<String, String> headers);

  /// Receives the answer while it arrives.
  default LineListener listener(NodeCall call, SecretsOfCall sent) {
    return LineListener.NONE;
  }

  /// The reply that a test gives in place of the service.
  HttpReply reply(URI uri, Value mock);

  Outcome outcome(NodeCall call, HttpReply reply, HttpFailures httpFailures);

  /// What becomes of the answer to a callback.
  Outcome answered(NodeCall call, Value answer);

  static Outcome badResult(String message) {
    return new Outcome.Failed(TaskError.permanent(HttpFailures.BAD_RESULT, message));
  }
}
