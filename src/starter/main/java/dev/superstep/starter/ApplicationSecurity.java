package dev.superstep.starter;

import dev.superstep.security.Caller;
import dev.superstep.security.Grant;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.OAuth2Token;

/// Lets in whom the application has authenticated, with the roles and scopes that its authorities
/// name: `ROLE_superstep:runner`, `superstep:run`, or `SCOPE_superstep:run` as those of tokens are
/// called. Nobody else, and nobody may do what no authority names.
///
/// @param next sees the caller as if Superstep had authenticated it
/// @param refusal answers calls of nobody
record ApplicationSecurity(RequestHandler next, RequestHandler refusal) implements RequestHandler {
  private static final String CALLER = ApplicationSecurity.class.getName();
  private static final String AUTHORITY = "superstep:";
  private static final String SCOPE = "SCOPE_" + AUTHORITY;
  private static final String ROLE = "ROLE_" + AUTHORITY;

  @Override
  public void handle(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    var before = SecurityContextHolder.getContext();
    var caller = caller(request, before.getAuthentication());
    if (caller.isEmpty()) {
      refusal.handle(request, response);
      return;
    }
    request.setAttribute(CALLER, caller.get());
    var context = SecurityContextHolder.createEmptyContext();
    context.setAuthentication(caller.get().authentication());
    SecurityContextHolder.setContext(context);
    try {
      next.handle(request, response);
    } finally {
      SecurityContextHolder.setContext(before);
    }
  }

  /// A call that goes on is not authenticated again.
  private static Optional<Caller> caller(
      HttpServletRequest request, @Nullable Authentication authentication) {
    if (request.getDispatcherType() == DispatcherType.ASYNC
        && request.getAttribute(CALLER) instanceof Caller caller) {
      return Optional.of(caller);
    }
    return Optional.ofNullable(authentication)
        .filter(it -> it.isAuthenticated() && !(it instanceof AnonymousAuthenticationToken))
        .map(ApplicationSecurity::caller);
  }

  private static Caller caller(Authentication authentication) {
    var scopes = new ArrayList<String>();
    var roles = new ArrayList<String>();
    for (var authority : authentication.getAuthorities()) {
      var name = String.valueOf(authority.getAuthority());
      if (name.startsWith(ROLE)) {
        roles.add(name.substring(ROLE.length()));
      } else if (name.startsWith(AUTHORITY)) {
        scopes.add(name.substring(AUTHORITY.length()));
      } else if (name.startsWith(SCOPE)) {
        scopes.add(name.substring(SCOPE.length()));
      }
    }
    return new Caller(
        authentication.getName(),
        Grant.of(roles, scopes).all(),
        authentication.getCredentials() instanceof OAuth2Token token
            ? Optional.ofNullable(token.getExpiresAt())
            : Optional.empty());
  }
}
