package dev.superstep.security;

import dev.superstep.http.ProblemWriter;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/// Refuses requests of callers, and of tenants, who make too many, before anything is read for them
/// but their key.
final class RateFilter extends OncePerRequestFilter {
  private final RequestRates rates;
  private final ProblemWriter problems;

  RateFilter(RequestRates rates, ProblemWriter problems) {
    this.rates = rates;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var caller = SecurityContextHolder.getContext().getAuthentication();
    if (caller != null && !(caller instanceof AnonymousAuthenticationToken)) {
      try {
        rates.admit(Caller.tenant(caller), caller.getName());
      } catch (ServiceException e) {
        problems.write(request, response, e);
        return;
      }
    }
    chain.doFilter(request, response);
  }
}
