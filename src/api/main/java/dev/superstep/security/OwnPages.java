package dev.superstep.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Set;
import org.springframework.http.HttpHeaders;

/// Tells calls of the console's own pages from those that pages of others have a browser make with
/// its cookies: by `Sec-Fetch-Site`, which says what the browser knows, and by `Origin` where there
/// is no such header (no TLS).
///
/// @param origin of the console
record OwnPages(String origin) {
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  /// Whether the call may use the cookie of the browser.
  boolean made(HttpServletRequest request) {
    var sites = Collections.list(request.getHeaders("Sec-Fetch-Site"));
    if (!sites.isEmpty()) {
      return sites.stream()
          .allMatch(it -> it.equals("same-origin") || (it.equals("none") && isSafe(request)));
    }
    var origins = Collections.list(request.getHeaders(HttpHeaders.ORIGIN));
    return origins.isEmpty() ? isSafe(request) : origins.stream().allMatch(origin::equals);
  }

  /// Whether the call changes nothing, whoever made it.
  static boolean isSafe(HttpServletRequest request) {
    return SAFE.contains(request.getMethod());
  }
}
