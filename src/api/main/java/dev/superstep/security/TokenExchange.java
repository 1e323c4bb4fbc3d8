package dev.superstep.security;

import dev.superstep.engine.node.WorkPermits;
import dev.superstep.problem.InvalidSettingException;
import dev.superstep.problem.Setting;
import dev.superstep.secret.MissingSecretException;
import dev.superstep.secret.OnBehalfOf;
import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import dev.superstep.security.ExchangeSettings.ExchangeClient;
import dev.superstep.security.HeldTokens.ExchangedToken;
import dev.superstep.security.SignInProvider.ProviderException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.springframework.security.oauth2.client.endpoint.DefaultOAuth2TokenRequestHeadersConverter;
import org.springframework.security.oauth2.client.endpoint.DefaultOAuth2TokenRequestParametersConverter;
import org.springframework.security.oauth2.client.endpoint.TokenExchangeGrantRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.stereotype.Component;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/// Has issuers exchange tokens of callers for tokens of tools (RFC 8693), as the client that this
/// server is to them. The messages of its outcomes name codes, never what an issuer writes.
@Component
final class TokenExchange {
  /// At a time, of one issuer.
  private static final int EXCHANGES_MAX = 16;

  /// As headers take it (RFC 6750).
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{1,16384}={0,2}");

  private static final Pattern CODE = Pattern.compile("[a-z_]{1,40}");

  /// What issuers say of a token that has ended or was revoked.
  private static final Set<String> OVER =
      Set.of(OAuth2ErrorCodes.INVALID_GRANT, OAuth2ErrorCodes.INVALID_TOKEN);

  private static final Set<String> AWAY =
      Set.of(OAuth2ErrorCodes.SERVER_ERROR, OAuth2ErrorCodes.TEMPORARILY_UNAVAILABLE);

  private static final String NO_ANSWER = "the token endpoint does not answer";

  private static final DefaultOAuth2TokenRequestParametersConverter<TokenExchangeGrantRequest>
      PARAMETERS = new DefaultOAuth2TokenRequestParametersConverter<>();

  private static final DefaultOAuth2TokenRequestHeadersConverter<TokenExchangeGrantRequest>
      HEADERS = new DefaultOAuth2TokenRequestHeadersConverter<>();

  private final Map<String, IssuerClient> clients;
  private final Secrets secrets;
  private final RestClient http = TokenEndpoint.http();

  TokenExchange(ExchangeSettings settings, TokenCallers issuers, Secrets secrets) {
    var found = new HashMap<String, IssuerClient>();
    settings
        .exchange()
        .forEach((name, client) -> {
          var property = new Setting("superstep.auth.exchange.%s.issuer".formatted(name));
          var issuer = issuers.find(client.issuer()).orElseThrow(() -> notKnown(property));
          if (SignInSettings.origin(issuer.settings().issuer()).isEmpty()) {
            throw notKnown(property);
          }
          var metadata = new IssuerMetadata(issuer, System::nanoTime);
          var permits = new Semaphore(EXCHANGES_MAX, true);
          var known = new IssuerClient(client, metadata, permits);
          if (found.put(issuer.settings().issuer(), known) != null) {
            throw property.invalid("is the issuer of two clients");
          }
        });
    this.clients = Map.copyOf(found);
    this.secrets = secrets;
  }

  private static InvalidSettingException notKnown(Setting property) {
    return property.invalid(
        "must be an issuer of superstep.auth.jwt or superstep.auth.issuers that is an http(s)"
            + " address");
  }

  /// What this server is to an issuer.
  private record IssuerClient(ExchangeClient settings, IssuerMetadata issuer, Semaphore permits) {}

  /// Whether no issuer exchanges anything.
  boolean isOff() {
    return clients.isEmpty();
  }

  /// How an exchange ended.
  sealed interface ExchangeOutcome {
    record TokenGiven(ExchangedToken token) implements ExchangeOutcome {}

    /// The token of the caller has ended.
    record TokenEnded() implements ExchangeOutcome {}

    record ExchangeRefused(String why) implements ExchangeOutcome {}

    /// The issuer cannot be asked now.
    record IssuerAway(String why) implements ExchangeOutcome {}
  }

  ExchangeOutcome exchange(SubjectToken subject, OnBehalfOf wanted) throws InterruptedException {
    var client = clients.get(subject.issuer());
    if (client == null) {
      return new ExchangeOutcome.ExchangeRefused("its issuer exchanges none for this server");
    }
    try (var _ = WorkPermits.releaseDuringIo()) {
      client.permits().acquire();
      try {
        return exchange(client, subject, wanted);
      } finally {
        client.permits().release();
      }
    }
  }

  private ExchangeOutcome exchange(IssuerClient client, SubjectToken subject, OnBehalfOf wanted)
      throws InterruptedException {
    try {
      var request =
          new TokenExchangeGrantRequest(registration(client, wanted), accessToken(subject), null);
      var given = send(request, wanted);
      var ends = given.getExpiresAt();
      return ends != null && TOKEN.matcher(given.getTokenValue()).matches()
          ? new ExchangeOutcome.TokenGiven(new ExchangedToken(given.getTokenValue(), ends))
          : new ExchangeOutcome.ExchangeRefused("what its issuer gave for it is no token");
    } catch (OAuth2AuthorizationException e) {
      return failed(e.getError().getErrorCode());
    } catch (RestClientException e) {
      if (Thread.interrupted()) {
        throw (InterruptedException) new InterruptedException("interrupted").initCause(e);
      }
      return new ExchangeOutcome.IssuerAway(NO_ANSWER);
    } catch (ProviderException | MissingSecretException e) {
      return new ExchangeOutcome.IssuerAway(String.valueOf(e.getMessage()));
    }
  }

  private static ExchangeOutcome failed(String code) {
    if (OVER.contains(code)) {
      return new ExchangeOutcome.TokenEnded();
    }
    return AWAY.contains(code)
        ? new ExchangeOutcome.IssuerAway(NO_ANSWER)
        : new ExchangeOutcome.ExchangeRefused(
            "its issuer refuses to exchange it: "
                + (CODE.matcher(code).matches() ? code : "it does not say why"));
  }

  private ClientRegistration registration(IssuerClient client, OnBehalfOf wanted) {
    var secret = SecretReference.parse(client.settings().clientSecret()).orElseThrow();
    return ClientRegistration.withRegistrationId("exchange")
        .clientId(client.settings().clientId())
        .clientSecret(secrets.resolve(secret))
        .clientAuthenticationMethod(client.issuer().method())
        .authorizationGrantType(AuthorizationGrantType.TOKEN_EXCHANGE)
        .scope(wanted.scopes())
        .tokenUri(client.issuer().required("token_endpoint"))
        .build();
  }

  private static OAuth2AccessToken accessToken(SubjectToken subject) {
    return new OAuth2AccessToken(
        OAuth2AccessToken.TokenType.BEARER, subject.value(), null, subject.expiresAt());
  }

  /// Spring's own client of this grant would have the form, and the token in it, in the debug log.
  private OAuth2AccessToken send(TokenExchangeGrantRequest request, OnBehalfOf wanted) {
    var form = new UnloggedForm();
    form.addAll(Objects.requireNonNull(PARAMETERS.convert(request)));
    form.add(OAuth2ParameterNames.AUDIENCE, wanted.audience());
    var answer =
        http.post()
            .uri(URI.create(request.getClientRegistration().getProviderDetails().getTokenUri()))
            .headers(it -> it.addAll(Objects.requireNonNull(HEADERS.convert(request))))
            .body(form)
            .retrieve()
            .body(OAuth2AccessTokenResponse.class);
    if (answer == null) {
      throw new RestClientException("the token endpoint has answered nothing");
    }
    return answer.getAccessToken();
  }

  /// Where the client's own log is on, it shows what it sends.
  private static final class UnloggedForm extends LinkedMultiValueMap<String, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public String toString() {
      return "***";
    }
  }
}
