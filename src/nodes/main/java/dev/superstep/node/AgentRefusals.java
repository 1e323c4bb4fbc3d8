package dev.superstep.node;

import dev.superstep.model.SpendingGate.CallUsage;
import java.lang.reflect.Modifier;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.util.Objects;
import java.util.stream.Stream;

/// Tells failures of frameworks whose provider has taken nothing: it was not reached, or has
/// refused the call. LangChain4j and the clients of providers say so by `statusCode()`, Spring's
/// `RestClient` and `WebClient` by `getStatusCode()`, and Spring AI by the class of what it throws.
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
    return Stream.of("statusCode", "getStatusCode")
        .map(it -> said(failure, it))
        .map(it -> it instanceof Integer ? it : said(it, "value"))
        .anyMatch(it -> it instanceof Integer status && CallUsage.isRefusal(status));
  }

  private static Object said(Object by, String method) {
    var type =
        Stream.<Class<?>>iterate(by.getClass(), it -> it != null, Class::getSuperclass)
            .flatMap(it -> Stream.concat(Stream.of(it), Stream.of(it.getInterfaces())))
            .filter(it -> Modifier.isPublic(it.getModifiers()))
            .filter(it -> Stream.of(it.getMethods()).anyMatch(has -> has.getName().equals(method)))
            .findFirst();
    try {
      return type.isEmpty()
          ? ""
          : Objects.requireNonNullElse(type.get().getMethod(method).invoke(by), "");
    } catch (ReflectiveOperationException _) {
      return "";
    }
  }
}
