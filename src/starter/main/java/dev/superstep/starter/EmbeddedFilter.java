package dev.superstep.starter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Hands requests to Superstep. The application itself does not see them.
final class EmbeddedFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private final transient EmbeddedService service;

  EmbeddedFilter(EmbeddedService service) {
    this.service = service;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    service.handler().handle(request, response);
  }
}
