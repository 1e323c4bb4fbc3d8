package dev.superstep.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;

/// Reads the body of a request with an Idempotency-Key as bytes by which requests can be compared.
public final class RequestBytes {
  /// Only a request with this header is compared, and keeps its bytes.
  public static final String KEY_HEADER = "Idempotency-Key";

  private static final String ATTRIBUTE = RequestBytes.class.getName();
  private static final byte[] NONE = "".getBytes(UTF_8);

  private RequestBytes() {}

  /// The canonical form of a JSON body that was bound to a type, else the body as it came; nothing
  /// if no body has been read, or the request has no key.
  public static byte[] of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof byte[] bytes ? bytes.clone() : NONE;
  }

  /// For requests that keep waiting after the last use of their body.
  public static void forget(HttpServletRequest request) {
    request.removeAttribute(ATTRIBUTE);
    BodyBudget.release(request);
  }

  static void attach(HttpServletRequest request, byte[] bytes) {
    request.setAttribute(ATTRIBUTE, bytes);
  }
}
