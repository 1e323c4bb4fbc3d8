package dev.superstep.security;

import dev.superstep.http.ProblemWriter;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.authentication.AuthenticationConverter;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/// Authenticates the calls of a browser that has signed in. A key or token in a header is taken in
/// place of the cookie, also a wrong one. A cookie that is not valid counts as none.
final class SessionFilter extends OncePerRequestFilter {
  private final Supplier<SignInSessions> sessions;
  private final SignInCookies cookies;
  private final OwnPages pages;
  private final RequestMatcher open;
  private final AuthenticationConverter keys;
  private final AuthenticationFailureHandler failed;
  private final ProblemWriter problems;
  private final RequestAttributeSecurityContextRepository contexts =
      new RequestAttributeSecurityContextRepository();

  /// @param open what needs no caller, and works while the database is away
  /// @param keys finds the key or token of a call
  SessionFilter(
      Supplier<SignInSessions> sessions,
      SignInCookies cookies,
      OwnPages pages,
      RequestMatcher open,
      AuthenticationConverter keys,
      AuthenticationFailureHandler failed,
      ProblemWriter problems) {
    this.sessions = sessions;
    this.cookies = cookies;
    this.pages = pages;
    this.open = open;
    this.keys = keys;
    this.failed = failed;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    var id = cookies.session(request);
    boolean isSafe = OwnPages.isSafe(request);
    boolean made = pages.made(request);
    if (id.isEmpty()
        || (isSafe && !made)
        || open.matches(request)
        || keys.convert(request) != null) {
      chain.doFilter(request, response);
      return;
    }
    Optional<Caller> caller;
    try {
      caller = sessions.get().caller(id.get());
    } catch (DataAccessException e) {
      failed.onAuthenticationFailure(
          request,
          response,
          new AuthenticationServiceException("it cannot be told now whose session this is", e));
      return;
    }
    if (caller.isEmpty()) {
      chain.doFilter(request, response);
    } else if (made) {
      authenticate(caller.get(), request, response);
      chain.doFilter(request, response);
    } else {
      problems.write(
          request,
          response,
          new ServiceException(
              ErrorCode.FORBIDDEN,
              "a page of another origin made this call with the cookie of the console"));
    }
  }

  /// A call that goes on in another dispatch is the same caller's.
  private void authenticate(
      Caller caller, HttpServletRequest request, HttpServletResponse response) {
    var context = SecurityContextHolder.createEmptyContext();
    context.setAuthentication(caller.authentication());
    SecurityContextHolder.setContext(context);
    contexts.saveContext(context, request, response);
  }
}
