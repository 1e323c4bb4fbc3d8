package dev.superstep.security;

import dev.superstep.http.ProblemWriter;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.secret.MissingSecretException;
import dev.superstep.security.SignInProvider.ProviderException;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.web.filter.OncePerRequestFilter;

/// Answers the addresses of signing in and out: `/sign-in` leads to the provider, which leads to
/// `/sign-in/callback`; a POST to `/sign-out` ends the session, and `/sign-out` then leads to the
/// provider, so that it ends its own, too.
final class SignInFilter extends OncePerRequestFilter {
  private static final Logger LOG = LoggerFactory.getLogger(SignInFilter.class);
  static final String BEGIN = "/sign-in";
  static final String SIGN_OUT = "/sign-out";

  /// At a time: each may wait for the provider, and strangers can begin as many as they like.
  private static final int ATTEMPTS_MAX = 16;

  private static final Pattern CODE = Pattern.compile("[^a-z_]|(?<=.{60}).");

  private final Filter begin;
  private final Filter callback;
  private final Supplier<SignInSessions> sessions;
  private final SignInProvider provider;
  private final SignInCookies cookies;
  private final SignInSettings settings;
  private final ProblemWriter problems;
  private final Semaphore attempts = new Semaphore(ATTEMPTS_MAX);

  /// @param begin leads to the provider
  /// @param callback takes what the provider answers; both throw what goes wrong
  SignInFilter(
      Filter begin,
      Filter callback,
      Supplier<SignInSessions> sessions,
      SignInProvider provider,
      SignInCookies cookies,
      SignInSettings settings,
      ProblemWriter problems) {
    this.begin = begin;
    this.callback = callback;
    this.sessions = sessions;
    this.provider = provider;
    this.cookies = cookies;
    this.settings = settings;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    switch (request.getMethod() + " " + request.getServletPath()) {
      case "GET " + BEGIN -> attempt(begin, request, response, chain);
      case "GET " + SignInProvider.CALLBACK -> attempt(callback, request, response, chain);
      case "GET " + SIGN_OUT -> leave(request, response);
      case "POST " + SIGN_OUT -> signOut(request, response);
      default -> chain.doFilter(request, response);
    }
  }

  private void attempt(
      Filter filter, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!attempts.tryAcquire()) {
      response.sendRedirect(SignInFailure.BUSY.page(settings.url()));
      return;
    }
    try {
      filter.doFilter(request, response, chain);
    } catch (AuthenticationException
        | ProviderException
        | ServiceException
        | MissingSecretException
        | DataAccessException e) {
      fail(response, e);
    } finally {
      attempts.release();
    }
  }

  /// The console says what it means.
  private void fail(HttpServletResponse response, Exception cause) throws IOException {
    var failure = SignInFailure.of(cause);
    if (failure == SignInFailure.UNAVAILABLE || failure == SignInFailure.REFUSED) {
      LOG.warn("somebody could not sign in: {}", reason(cause));
    }
    response.sendRedirect(failure.page(settings.url()));
  }

  /// The code may be one that somebody has written into the address.
  private static String reason(Exception cause) {
    return cause instanceof OAuth2AuthenticationException e
        ? CODE.matcher(e.getError().getErrorCode()).replaceAll("?")
        : cause.toString();
  }

  private void signOut(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!new OwnPages(settings.origin()).made(request)) {
      problems.write(
          request,
          response,
          new ServiceException(
              ErrorCode.FORBIDDEN, "only a page of the console can sign out who uses it"));
      return;
    }
    cookies.session(request).ifPresent(it -> sessions.get().end(it));
    response.setStatus(HttpStatus.NO_CONTENT.value());
  }

  /// Whoever has not signed out is not signed out by this: a page of another site can lead here.
  private void leave(HttpServletRequest request, HttpServletResponse response) throws IOException {
    var ended = cookies.session(request).flatMap(it -> sessions.get().forget(it));
    if (ended.isPresent()) {
      cookies.removeSession(response);
    }
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.sendRedirect(
        ended.flatMap(provider::signOut).map(Object::toString).orElse(settings.url() + "/"));
  }
}
