package dev.superstep.http;

import dev.superstep.compute.ReadMemory;
import dev.superstep.compute.RequestWork;
import dev.superstep.problem.Callers;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/// Gives each request the budget of what it costs, before anything is read for it; what it has
/// taken is given back when its answer is written.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RequestWorkFilter extends OncePerRequestFilter {
  private final ReadMemory memory;
  private final Callers callers;

  RequestWorkFilter(ReadMemory memory, Callers callers) {
    this.memory = memory;
    this.callers = callers;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var work = new RequestWork(memory, callers::current);
    try {
      work.within(() -> {
        chain.doFilter(request, response);
        return work;
      });
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e); // a filter throws no other
    }
  }
}
