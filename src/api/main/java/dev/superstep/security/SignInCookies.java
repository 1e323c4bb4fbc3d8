package dev.superstep.security;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.security.oauth2.client.web.AuthorizationRequestRepository;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;

/// The two cookies of a browser: one with the id of its session, and one for the minutes of signing
/// in. Scripts see neither, and no other host can set them where there is TLS (`__Host-`).
///
/// What the provider's answer is compared with is kept by the browser, and not in a row, so that
/// strangers who begin and do not end fill no table. It binds only that browser.
final class SignInCookies implements AuthorizationRequestRepository<OAuth2AuthorizationRequest> {
  /// Where to go after signing in, as an attribute of the request.
  static final String TO = "to";

  private static final String TO_ATTRIBUTE = SignInCookies.class.getName();
  private static final Duration ATTEMPT_MAX = Duration.ofMinutes(10);
  private static final int ATTEMPT_PARTS = 4;

  private final SignInSettings settings;
  private final String session;
  private final String attempt;

  SignInCookies(SignInSettings settings) {
    this.settings = settings;
    var prefix = settings.isSecure() ? "__Host-" : "";
    this.session = prefix + "superstep-session";
    this.attempt = prefix + "superstep-sign-in";
  }

  /// The id of the session.
  Optional<String> session(HttpServletRequest request) {
    return value(request, session);
  }

  /// No page of another site has it sent. Pages that are opened by a link from there have it in
  /// their own calls, for they are open without.
  void setSession(HttpServletResponse response, String id) {
    add(response, cookie(session, id).sameSite("Strict").build());
  }

  void removeSession(HttpServletResponse response) {
    add(response, cookie(session, "").sameSite("Strict").maxAge(0).build());
  }

  private ResponseCookie.ResponseCookieBuilder cookie(String name, String value) {
    return ResponseCookie.from(name, value).path("/").httpOnly(true).secure(settings.isSecure());
  }

  private static void add(HttpServletResponse response, ResponseCookie cookie) {
    response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
  }

  private static Optional<String> value(HttpServletRequest request, String name) {
    var cookies = request.getCookies();
    return cookies == null
        ? Optional.empty()
        : Arrays.stream(cookies)
            .filter(it -> it.getName().equals(name))
            .map(Cookie::getValue)
            .findFirst();
  }

  @Override
  public void saveAuthorizationRequest(
      @Nullable OAuth2AuthorizationRequest begun,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (begun == null) {
      removeAuthorizationRequest(request, response);
      return;
    }
    var parts =
        Stream.of(
            begun.getState(),
            begun.<String>getAttribute(OidcParameterNames.NONCE),
            begun.<String>getAttribute(PkceParameterNames.CODE_VERIFIER),
            begun.<String>getAttribute(TO));
    var value = String.join(".", parts.map(SignInCookies::encoded).toList());
    // The provider leads back from another site.
    add(response, cookie(attempt, value).sameSite("Lax").maxAge(ATTEMPT_MAX).build());
  }

  @Override
  public @Nullable OAuth2AuthorizationRequest loadAuthorizationRequest(HttpServletRequest request) {
    return value(request, attempt)
        .map(it -> it.split("\\.", -1))
        .filter(it -> it.length == ATTEMPT_PARTS)
        .map(this::request)
        .filter(
            it -> Objects.equals(it.getState(), request.getParameter(OAuth2ParameterNames.STATE)))
        .orElse(null);
  }

  /// A second answer of the provider finds nothing to be compared with. One that belongs to nothing
  /// changes nothing: any page can lead here.
  @Override
  public @Nullable OAuth2AuthorizationRequest removeAuthorizationRequest(
      HttpServletRequest request, HttpServletResponse response) {
    var begun = loadAuthorizationRequest(request);
    if (begun != null) {
      request.setAttribute(TO_ATTRIBUTE, begun.getAttribute(TO));
      add(response, cookie(attempt, "").sameSite("Lax").maxAge(0).build());
    }
    return begun;
  }

  /// Where to go, once the answer of the provider was taken.
  static @Nullable String to(HttpServletRequest request) {
    return (String) request.getAttribute(TO_ATTRIBUTE);
  }

  private @Nullable OAuth2AuthorizationRequest request(String... parts) {
    try {
      return OAuth2AuthorizationRequest.authorizationCode()
          .authorizationUri(settings.url())
          .clientId(settings.clientId())
          .redirectUri(settings.url() + SignInProvider.CALLBACK)
          .scopes(Set.copyOf(settings.scopes()))
          .state(decoded(parts[0]))
          .attributes(
              Map.of(
                  OAuth2ParameterNames.REGISTRATION_ID,
                  SignInProvider.ID,
                  OidcParameterNames.NONCE,
                  decoded(parts[1]),
                  PkceParameterNames.CODE_VERIFIER,
                  decoded(parts[2]),
                  TO,
                  decoded(parts[3])))
          .build();
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String text) {
    return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
  }
}
