package dev.superstep.security;

import dev.superstep.database.TenantSettings;
import dev.superstep.tenant.Reach;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/// Has each request answered for the tenant of its caller, and for what of it the caller may reach.
/// Whoever runs the server looks after the keys of all tenants, and is of none while it does.
final class TenantFilter extends OncePerRequestFilter {
  private static final String KEYS = "/v1/keys";
  private final TenantSettings tenants;

  TenantFilter(TenantSettings tenants) {
    this.tenants = tenants;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var caller = SecurityContextHolder.getContext().getAuthentication();
    try {
      if (Caller.isLimited(caller)) {
        Reach.limited(() -> {
          answer(caller, request, response, chain);
          return this;
        });
      } else {
        answer(caller, request, response, chain);
      }
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e); // a filter throws no other
    }
  }

  private void answer(
      @Nullable Authentication caller,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws Exception {
    if (!tenants.enabled() || (Caller.runsTheServer(caller) && keepsKeys(request))) {
      chain.doFilter(request, response);
      return;
    }
    Caller.tenant(caller)
        .within(() -> {
          chain.doFilter(request, response);
          return this;
        });
  }

  private static boolean keepsKeys(HttpServletRequest request) {
    var path = request.getServletPath();
    return path.equals(KEYS) || path.startsWith(KEYS + "/");
  }
}
