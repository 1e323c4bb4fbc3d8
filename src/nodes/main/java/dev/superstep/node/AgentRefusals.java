package dev.superstep.node;

import dev.superstep.model.SpendingGate.CallUsage;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.util.stream.Stream;

/// Tells failures of frameworks whose provider has taken nothing: it was not reached, or has
/// refused the call. LangChain4j and the clients of providers say so by `statusCode()`, Spring's by
/// `getStatusCode()`, and Spring AI by the class of what it throws.
final class AgentRefusals {
  private static final int DEPTH_MAX = 20;
  private static final String REFUSED = "org.springframework.ai.retry.NonTransientAiException";

  private AgentRefusals() {}

  static boolean has(Throwable failure) {
    return Stream.iterate(failure, it -> it != null, Throwable::getCause)
        .limit(DEPTH_MAX)
        .anyMatch(it ->
            it instanceof ConnectException
                || it instanceof UnknownHostException
                || it instanceof HttpConnectTimeoutException
                || it.getClass().getName().equals(REFUSED)
                || isRefusal(it));
  }

  private static boolean isRefusal(Throwable failure) {
    return Stream.of(said(failure, "statusCode"), said(said(failure, "getStatusCode"), "value"))
        .anyMatch(it -> it instanceof Integer status && CallUsage.isRefusal(status));
  }

  private static Object said(Object by, String method) {
    try {
      return by.getClass().getMethod(method).invoke(by);
    } catch (ReflectiveOperationException _) {
      return "";
    }
  }
}
