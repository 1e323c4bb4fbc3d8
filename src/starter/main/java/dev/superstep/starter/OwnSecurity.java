package dev.superstep.starter;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.core.context.SecurityContextHolder;

/// Has Superstep check keys itself. Whom the application has authenticated counts for nothing: an
/// authority of its own might have the name of a scope.
///
/// @param chain authenticates, and continues with `next`
record OwnSecurity(Filter chain, RequestHandler next) implements RequestHandler {

  @Override
  public void handle(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    var before = SecurityContextHolder.getContext();
    SecurityContextHolder.setContext(SecurityContextHolder.createEmptyContext());
    try {
      chain.doFilter(
          request,
          response,
          (asked, answer) -> next.handle((HttpServletRequest) asked, (HttpServletResponse) answer));
    } finally {
      SecurityContextHolder.setContext(before);
    }
  }
}
