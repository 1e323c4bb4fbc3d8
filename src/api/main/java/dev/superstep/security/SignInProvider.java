package dev.superstep.security;

import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistration.ClientSettings;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/// The provider with which people sign in, as its metadata describes it. They are read when
/// somebody signs in; the secret is read each time.
final class SignInProvider implements ClientRegistrationRepository {
  private static final Logger LOG = LoggerFactory.getLogger(SignInProvider.class);

  /// The one there is.
  static final String ID = "provider";

  static final String CALLBACK = "/sign-in/callback";

  private final SignInSettings settings;
  private final JwtCallers issuer;
  private final Secrets secrets;
  private final IssuerMetadata metadata;

  SignInProvider(SignInSettings settings, JwtCallers issuer, Secrets secrets, LongSupplier nanos) {
    this.settings = settings;
    this.issuer = issuer;
    this.secrets = secrets;
    this.metadata = new IssuerMetadata(issuer, nanos);
  }

  /// The provider cannot be reached, or says what nobody can sign in with.
  static final class ProviderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProviderException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /// @throws ProviderException if the metadata cannot be had
  @Override
  public ClientRegistration findByRegistrationId(String id) {
    var secret = secrets.resolve(SecretReference.parse(settings.clientSecret()).orElseThrow());
    return ClientRegistration.withRegistrationId(ID)
        .clientId(settings.clientId())
        .clientSecret(secret)
        .clientAuthenticationMethod(metadata.method())
        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
        .clientSettings(ClientSettings.builder().requireProofKey(true).build())
        .redirectUri(settings.url() + CALLBACK)
        .scope(settings.scopes())
        .issuerUri(issuer.settings().issuer())
        .authorizationUri(metadata.required("authorization_endpoint"))
        .tokenUri(metadata.required("token_endpoint"))
        .build();
  }

  /// Checks ID tokens: signature, issuer, audience, times.
  JwtDecoder idTokens(ClientRegistration registration) {
    var claims = new OidcIdTokenValidator(registration);
    claims.setClockSkew(issuer.settings().clockSkew());
    return issuer.decoder(
        new DelegatingOAuth2TokenValidator<Jwt>(
            new JwtTimestampValidator(issuer.settings().clockSkew()), claims));
  }

  /// Where the browser goes to sign out at the provider, too; empty if it does not say or cannot be
  /// asked (OpenID Connect RP-Initiated Logout).
  ///
  /// @param idToken says who signs out; empty: the provider asks
  Optional<URI> signOut(Optional<String> idToken) {
    try {
      return metadata
          .endpoint("end_session_endpoint")
          .map(it ->
              UriComponentsBuilder.fromUriString(it)
                  .queryParamIfPresent("id_token_hint", idToken.map(SignInProvider::encoded))
                  .queryParam("client_id", encoded(settings.clientId()))
                  .queryParam("post_logout_redirect_uri", encoded(settings.url() + "/"))
                  .build(true)
                  .toUri());
    } catch (ProviderException e) {
      LOG.warn("the provider is not told who signs out: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private static String encoded(String value) {
    return UriUtils.encode(value, StandardCharsets.UTF_8);
  }
}
