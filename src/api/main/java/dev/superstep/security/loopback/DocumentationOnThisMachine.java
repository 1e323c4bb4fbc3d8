package dev.superstep.security.loopback;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import org.springframework.security.web.util.matcher.RequestMatcher;

/// Matches requests over loopback for the OpenAPI document, its user interface and the schema that
/// editors read: they send no key.
public final class DocumentationOnThisMachine implements RequestMatcher {

  @Override
  public boolean matches(HttpServletRequest request) {
    String path = request.getServletPath();
    return (path.startsWith("/v3/api-docs")
            || path.startsWith("/swagger-ui")
            || path.equals("/v1/schema.json"))
        && isLoopback(request.getRemoteAddr());
  }

  /// Behind a trusted proxy, this is the address that the client has sent.
  private static boolean isLoopback(String address) {
    try {
      return InetAddress.ofLiteral(address).isLoopbackAddress();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
