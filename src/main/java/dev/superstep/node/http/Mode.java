package dev.superstep.node.http;

import dev.superstep.engine.NodeCall;
import dev.superstep.engine.Outcome;
import dev.superstep.engine.TaskError;
import dev.superstep.secret.SecretsOfCall;
import java.net.URI;
import java.util.Map;

/// How a node speaks HTTP.
sealed interface Mode permits FunctionMode, RequestMode {

  /// @param headers what every request of the node carries
  HttpCall request(NodeCall call, URI uri, Map<String, String> headers);

  /// What hears of the answer while it arrives.
  default LineListener listener(NodeCall call, SecretsOfCall sent) {
    return LineListener.NONE;
  }

  Outcome outcome(NodeCall call, HttpReply reply, Failures failures);

  static Outcome badResult(String message) {
    return new Outcome.Failed(TaskError.permanent(Failures.BAD_RESULT, message));
  }
}
