package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TenantSettings;
import dev.superstep.security.SignInProvider.ProviderException;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.transaction.CannotCreateTransactionException;

/// What the browser sees of steps that fail or take long.
@NullUnmarked
class SignInFilterTests {
  private static final String URL = "https://superstep.example";

  private static final SignInAudit AUDIT =
      new SignInAudit(
          null, null, new AuthenticatedCallers(InstantSource.system(), new TenantSettings(false)));

  private static final SignInSessions SESSIONS = new SignInSessions(null, null, null, AUDIT, null);

  private static SignInFilter filter(Filter step) {
    var hour = Duration.ofHours(1);
    var settings = new SignInSettings("one", "env:A", "", URL, "", List.of(), hour, hour);
    return new SignInFilter(
        step, step, () -> SESSIONS, null, new SignInCookies(settings), settings, null);
  }

  private static String led(SignInFilter filter, String path) throws Exception {
    return led(filter, path, "of the provider");
  }

  private static String led(SignInFilter filter, String path, String code) throws Exception {
    var request = new MockHttpServletRequest("GET", path);
    request.setServletPath(path);
    request.setParameter("state", "any");
    request.setParameter("code", code);
    var response = new MockHttpServletResponse();
    filter.doFilter(request, response, new MockFilterChain());
    return response.getRedirectedUrl();
  }

  @Test
  void saysThatItDoesNotWorkNow() throws Exception {
    for (var failure :
        List.of(
            new ProviderException("away", null),
            new DataAccessResourceFailureException("away"),
            new CannotCreateTransactionException("away"))) {
      var filter =
          filter((_, _, _) -> {
            throw failure;
          });
      assertThat(led(filter, "/sign-in")).isEqualTo(URL + "/?sign_in=unavailable");
      assertThat(led(filter, "/sign-in/callback")).isEqualTo(URL + "/?sign_in=unavailable");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "access_denied, denied",
    "authorization_request_not_found, expired",
    "invalid_grant, expired",
    "invalid_request, unavailable",
    "invalid_token_response, unavailable",
    "no_role, no_role",
    "busy, busy",
    "<b>, refused"
  })
  void saysWhatTheErrorMeansAndNothingOfItsText(String code, String reason) throws Exception {
    var filter =
        filter((_, _, _) -> {
          throw new OAuth2AuthenticationException(code);
        });
    assertThat(led(filter, "/sign-in/callback")).isEqualTo(URL + "/?sign_in=" + reason);
  }

  /// Nobody is called with what cannot be an answer.
  @Test
  void takesNoAnswerThatIsNone() throws Exception {
    var filter =
        filter((_, _, _) -> {
          throw new IllegalStateException();
        });
    var none = new MockHttpServletRequest("GET", "/sign-in/callback");
    none.setServletPath("/sign-in/callback");
    none.setParameter("code", "of the provider");
    var response = new MockHttpServletResponse();
    filter.doFilter(none, response, new MockFilterChain());
    assertThat(response.getRedirectedUrl()).isEqualTo(URL + "/?sign_in=expired");
    assertThat(led(filter, "/sign-in/callback", "x".repeat(4_001)))
        .isEqualTo(URL + "/?sign_in=expired");
  }

  @Test
  void tellsKeysThatCannotBeHadFromATokenThatIsNotValid() throws Exception {
    for (var cause :
        Map.of("refused", new BadJwtException("old"), "unavailable", new JwtException("away"))
            .entrySet()) {
      var filter =
          filter((_, _, _) -> {
            throw new OAuth2AuthenticationException(
                new OAuth2Error("invalid_id_token"), "", cause.getValue());
          });
      assertThat(led(filter, "/sign-in/callback")).isEqualTo(URL + "/?sign_in=" + cause.getKey());
    }
  }

  @Test
  @Timeout(60)
  void letsOnlySoManyWaitForTheProviderAtATime() throws Exception {
    var waiting = new Semaphore(0);
    var answer = new CountDownLatch(1);
    var filter =
        filter((_, _, _) -> {
          waiting.release();
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int attempt = 0; attempt < 16; attempt++) {
        var _ = threads.submit(() -> led(filter, "/sign-in"));
      }
      assertThat(waiting.tryAcquire(16, 30, TimeUnit.SECONDS)).isTrue();
      assertThat(led(filter, "/sign-in")).isEqualTo(URL + "/?sign_in=busy");
      var other = threads.submit(() -> led(filter, "/sign-in/callback"));
      assertThat(waiting.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      answer.countDown();
      assertThat(other.get()).isNull();
    }
    assertThat(led(filter, "/sign-in")).isNull();
  }
}
