package dev.superstep.security;

import dev.superstep.http.ProblemWriter;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.secret.MissingSecretException;
import dev.superstep.security.SessionRows.SessionRow;
import dev.superstep.security.SignInProvider.ProviderException;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.transaction.TransactionException;
import org.springframework.web.filter.OncePerRequestFilter;

/// Answers the addresses of signing in and out: `/sign-in` leads to the provider, which leads to
/// `/sign-in/callback`; a POST to `/sign-out` ends the session, and `/sign-out` then leads to the
/// provider, so that it ends its own, too.
final class SignInFilter extends OncePerRequestFilter {
  private static final Logger LOG = LoggerFactory.getLogger(SignInFilter.class);
  static final String BEGIN = "/sign-in";
  static final String SIGN_OUT = "/sign-out";

  /// At a time, of each step: they may wait for the provider, and strangers can begin as many as
  /// they like.
  private static final int ATTEMPTS_MAX = 16;

  private static final int CODE_CHARS_MAX = 4_000;
  private static final int WAIT_MAX_MS = 2_000;
  private static final int TEXT_MAX = 300;
  private static final Pattern NOT_SHOWN = Pattern.compile("[^\\x20-\\x7e]");

  private final Filter begin;
  private final Filter callback;
  private final Supplier<SignInSessions> sessions;
  private final SignInProvider provider;
  private final SignInCookies cookies;
  private final SignInSettings settings;
  private final ProblemWriter problems;
  private final Semaphore beginnings = new Semaphore(ATTEMPTS_MAX, true);
  private final Semaphore answers = new Semaphore(ATTEMPTS_MAX, true);

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
      case "GET " + BEGIN -> attempt(begin, beginnings, request, response);
      case "GET " + SignInProvider.CALLBACK -> answer(request, response);
      case "GET " + SIGN_OUT -> leave(request, response);
      case "POST " + SIGN_OUT -> signOut(request, response);
      default -> chain.doFilter(request, response);
    }
  }

  private void answer(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    if (isAnswer(request)) {
      attempt(callback, answers, request, response);
    } else {
      fail(request, response, SignInFailure.EXPIRED);
    }
  }

  /// Whether it can be one of the provider.
  private static boolean isAnswer(HttpServletRequest request) {
    var code = request.getParameter(OAuth2ParameterNames.CODE);
    return request.getParameter(OAuth2ParameterNames.STATE) != null
        && (request.getParameter(OAuth2ParameterNames.ERROR) != null
            || (code != null && code.length() <= CODE_CHARS_MAX));
  }

  private static boolean acquire(Semaphore attempts) {
    try {
      return attempts.tryAcquire(WAIT_MAX_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void attempt(
      Filter filter, Semaphore attempts, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    if (!acquire(attempts)) {
      fail(request, response, SignInFailure.BUSY);
      return;
    }
    try {
      filter.doFilter(request, response, (_, _) -> {});
    } catch (AuthenticationException
        | ProviderException
        | ServiceException
        | MissingSecretException
        | DataAccessException
        | TransactionException e) {
      fail(request, response, e);
    } finally {
      attempts.release();
    }
  }

  /// The console says what it means.
  private void fail(HttpServletRequest request, HttpServletResponse response, Exception cause)
      throws IOException {
    var failure = SignInFailure.of(cause);
    if (failure == SignInFailure.UNAVAILABLE || failure == SignInFailure.REFUSED) {
      LOG.atLevel(isOfAddress(cause) ? Level.DEBUG : Level.WARN)
          .log("somebody could not sign in: {}", shown(reason(cause)));
    }
    fail(request, response, failure);
  }

  private void fail(HttpServletRequest request, HttpServletResponse response, SignInFailure failure)
      throws IOException {
    sessions.get().noteFailure(request, failure);
    response.sendRedirect(failure.page(settings.url()));
  }

  /// Whether the error is one that anybody can write into the address.
  private static boolean isOfAddress(Exception cause) {
    return cause instanceof OAuth2AuthenticationException && cause.getCause() == null;
  }

  /// What the provider has answered, or is wrong with that.
  private static String reason(Exception cause) {
    return cause instanceof OAuth2AuthenticationException e
        ? e.getError().getErrorCode() + ": " + e.getError().getDescription()
        : cause.toString();
  }

  private static String shown(String text) {
    return NOT_SHOWN.matcher(text.substring(0, Math.min(text.length(), TEXT_MAX))).replaceAll("?");
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
    try {
      cookies.session(request).ifPresent(it -> sessions.get().end(it));
      response.setStatus(HttpStatus.NO_CONTENT.value());
    } catch (DataAccessException | TransactionException e) {
      LOG.warn("somebody could not sign out: {}", e.toString());
      problems.write(
          request,
          response,
          new ServiceException(
              ErrorCode.DATABASE_UNAVAILABLE, "the session cannot be ended now; try again"));
    }
  }

  /// Whoever has not signed out is not signed out by this: a page of another site can lead here.
  private void leave(HttpServletRequest request, HttpServletResponse response) throws IOException {
    var ended = cookies.session(request).flatMap(this::forget);
    if (ended.isPresent()) {
      cookies.removeSession(response);
    }
    response.sendRedirect(
        ended
            .flatMap(it -> provider.signOut(it.idToken()))
            .map(Object::toString)
            .orElse(settings.url() + "/"));
  }

  /// While the database is away, the provider is not told.
  private Optional<SessionRow> forget(String id) {
    try {
      return sessions.get().forget(id);
    } catch (DataAccessException | TransactionException e) {
      LOG.warn("the provider is not told who signs out: {}", e.toString());
      return Optional.empty();
    }
  }
}
