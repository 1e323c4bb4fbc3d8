package dev.superstep.security;

import dev.superstep.http.ProblemWriter;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/// Guards a service without keys: a connection over loopback can still carry a remote call, from a
/// web page in a browser of this machine (another origin, or a name that resolves to loopback) or
/// through a proxy. Such calls name a host that is not this machine, or the browser says that the
/// page is of another site: any page may send a GET, as that of a picture, which names no origin.
/// From there only links to pages are followed.
final class SameMachineFilter extends OncePerRequestFilter {

  private static final String FORWARDED = "x-forwarded-";
  private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

  private final ProblemWriter problems;
  private final RequestMatcher pages;

  /// @param pages which links of other sites may lead to
  public SameMachineFilter(ProblemWriter problems, RequestMatcher pages) {
    this.problems = problems;
    this.pages = pages;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (isForwarded(request)) {
      problems.write(
          request,
          response,
          new ServiceException(
              ErrorCode.FORBIDDEN,
              "the call came through a proxy; without API keys only this machine may call, so set"
                  + " SUPERSTEP_API_KEYS"));
    } else if (isSentByAPageOfAnotherSite(request) && !isLink(request)) {
      problems.write(
          request,
          response,
          new ServiceException(
              ErrorCode.FORBIDDEN,
              "a page of another site made this call (Sec-Fetch-Site: cross-site); without API keys"
                  + " only this machine may call, so set SUPERSTEP_API_KEYS"));
    } else if (NAMES.contains(request.getServerName())
        && isLocal(request.getHeader(HttpHeaders.ORIGIN))) {
      chain.doFilter(request, response);
    } else {
      problems.write(
          request,
          response,
          new ServiceException(
              ErrorCode.FORBIDDEN,
              "without API keys only this machine may call; set SUPERSTEP_API_KEYS to serve"
                  + " others"));
    }
  }

  /// A proxy on this machine may rewrite the host, but adds a header that names the client.
  private static boolean isForwarded(HttpServletRequest request) {
    for (var names = request.getHeaderNames(); names.hasMoreElements(); ) {
      var name = names.nextElement();
      if (name.equalsIgnoreCase("forwarded")
          || name.equalsIgnoreCase("x-real-ip")
          || name.regionMatches(true, 0, FORWARDED, 0, FORWARDED.length())) {
        return true;
      }
    }
    return false;
  }

  /// An origin says more, and is checked by itself.
  private static boolean isSentByAPageOfAnotherSite(HttpServletRequest request) {
    return request.getHeader(HttpHeaders.ORIGIN) == null
        && Collections.list(request.getHeaders("Sec-Fetch-Site")).stream()
            .anyMatch("cross-site"::equalsIgnoreCase);
  }

  /// Whether a person follows a link to a page.
  private boolean isLink(HttpServletRequest request) {
    return "GET".equals(request.getMethod())
        && "navigate".equals(request.getHeader("Sec-Fetch-Mode"))
        && "document".equals(request.getHeader("Sec-Fetch-Dest"))
        && pages.matches(request);
  }

  private static boolean isLocal(@Nullable String origin) {
    if (origin == null) {
      return true;
    }
    try {
      String host = URI.create(origin).getHost();
      return host != null && NAMES.contains(host);
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
