package dev.superstep.security;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.oidc.authentication.OidcAuthorizationCodeAuthenticationProvider;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.OAuth2LoginAuthenticationFilter;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.oidc.OidcUserInfo;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.Jwt;

/// What Spring Security does when somebody signs in: it leads to the provider (authorization code
/// with PKCE, state and nonce), exchanges the code, with the secret of this server, and checks the
/// ID token. What the caller may do is then said by the access token, if it is one that a call
/// could carry, and else by the ID token, with the settings of the issuer in both cases. Neither
/// token reaches the browser.
final class SignInSteps {
  /// A path of this server: what begins with two slashes names another.
  private static final Pattern PATH = Pattern.compile("/(?![/\\\\])[\\x21-\\x7e&&[^\\\\]]{0,999}");

  private final SignInSettings settings;
  private final JwtCallers issuer;
  private final SignInProvider provider;
  private final SignInCookies cookies;
  private final Supplier<SignInSessions> sessions;

  SignInSteps(
      SignInSettings settings,
      JwtCallers issuer,
      SignInProvider provider,
      SignInCookies cookies,
      Supplier<SignInSessions> sessions) {
    this.settings = settings;
    this.issuer = issuer;
    this.provider = provider;
    this.cookies = cookies;
    this.sessions = sessions;
  }

  /// Leads to the provider, and keeps in a cookie what its answer must have.
  Filter begin() {
    var requests = new DefaultOAuth2AuthorizationRequestResolver(provider);
    var filter =
        new OAuth2AuthorizationRequestRedirectFilter(
            new OAuth2AuthorizationRequestResolver() {
              @Override
              public @Nullable OAuth2AuthorizationRequest resolve(HttpServletRequest request) {
                return resolve(request, SignInProvider.ID);
              }

              @Override
              public @Nullable OAuth2AuthorizationRequest resolve(
                  HttpServletRequest request, String id) {
                return OAuth2AuthorizationRequest.from(
                        Objects.requireNonNull(requests.resolve(request, id)))
                    .attributes(it ->
                        it.put(SignInCookies.TO, path(request.getParameter(SignInCookies.TO))))
                    .build();
              }
            });
    filter.setAuthorizationRequestRepository(cookies);
    filter.setAuthenticationFailureHandler((_, _, failure) -> {
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    });
    return filter;
  }

  private static String path(@Nullable String to) {
    return to != null && PATH.matcher(to).matches() ? to : "/";
  }

  /// Takes the answer of the provider.
  Filter callback() {
    var exchange = new RestClientAuthorizationCodeTokenResponseClient();
    exchange.setRestClient(TokenEndpoint.http());
    var check = new OidcAuthorizationCodeAuthenticationProvider(exchange, this::person);
    check.setJwtDecoderFactory(provider::idTokens);
    var filter =
        new OAuth2LoginAuthenticationFilter(provider, new KeepsNoTokens(), SignInProvider.CALLBACK);
    filter.setAuthorizationRequestRepository(cookies);
    filter.setAuthenticationManager(it -> Objects.requireNonNull(check.authenticate(it)));
    filter.setAuthenticationSuccessHandler(this::signedIn);
    filter.setAuthenticationFailureHandler((_, _, failure) -> {
      throw failure;
    });
    return filter;
  }

  /// Its "user info" are the claims that say what it may do.
  private OidcUser person(OidcUserRequest request) {
    var idToken = request.getIdToken();
    Map<String, Object> claims =
        issuer
            .read(request.getAccessToken().getTokenValue())
            .filter(it -> Objects.equals(idToken.getSubject(), it.getSubject()))
            .map(Jwt::getClaims)
            .orElse(idToken.getClaims());
    return new DefaultOidcUser(List.of(), idToken, new OidcUserInfo(claims));
  }

  private void signedIn(
      HttpServletRequest request, HttpServletResponse response, Authentication authentication)
      throws IOException {
    var person = (OidcUser) Objects.requireNonNull(authentication.getPrincipal());
    var claims = Objects.requireNonNull(person.getUserInfo()).getClaims();
    var known = issuer.caller(claims, Optional.empty());
    known.ifPresent(it -> SignInAudit.identify(request, it));
    var caller =
        known
            .filter(it -> !it.scopes().isEmpty())
            .orElseThrow(() -> new OAuth2AuthenticationException(SignInFailure.NO_ROLE.code()));
    var id =
        sessions
            .get()
            .begin(caller, claims, person.getIdToken().getTokenValue())
            .orElseThrow(() -> new OAuth2AuthenticationException(SignInFailure.BUSY.code()));
    cookies.setSession(response, id);
    response.sendRedirect(settings.url() + path(SignInCookies.to(request)));
  }

  /// Nothing is called with the tokens.
  private static final class KeepsNoTokens implements OAuth2AuthorizedClientRepository {
    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <T extends OAuth2AuthorizedClient> @Nullable T loadAuthorizedClient(
        String registration, Authentication principal, HttpServletRequest request) {
      return null;
    }

    @Override
    public void saveAuthorizedClient(
        OAuth2AuthorizedClient client,
        Authentication principal,
        HttpServletRequest request,
        HttpServletResponse response) {
      // Nothing is kept.
    }

    @Override
    public void removeAuthorizedClient(
        String registration,
        Authentication principal,
        HttpServletRequest request,
        HttpServletResponse response) {
      // Nothing was kept.
    }
  }
}
