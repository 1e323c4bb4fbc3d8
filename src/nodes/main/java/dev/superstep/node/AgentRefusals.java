package dev.superstep.node;

import dev.superstep.model.SpendingGate.CallUsage;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.util.stream.Stream;

/// Tells failures of frameworks whose provider has taken nothing: it was not reached, or has
/// refused the call. They say so by `statusCode()`, as LangChain4j and the clients of providers do.
final class AgentRefusals {
  private static final int DEPTH_MAX = 20;

  private AgentRefusals() {}

  static boolean has(Throwable failure) {
    return Stream.iterate(failure, it -> it != null, Throwable::getCause)
        .limit(DEPTH_MAX)
        .anyMatch(it ->
            it instanceof ConnectException
                || it instanceof UnknownHostException
                || it instanceof HttpConnectTimeoutException
                || isRefusal(it));
  }

  private static boolean isRefusal(Throwable failure) {
    try {
      return failure.getClass().getMethod("statusCode").invoke(failure) instanceof Integer status
          && CallUsage.isRefusal(status);
    } catch (ReflectiveOperationException _) {
      return false;
    }
  }
}
