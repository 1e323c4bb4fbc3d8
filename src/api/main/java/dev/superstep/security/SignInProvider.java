package dev.superstep.security;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
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
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/// The provider with which people sign in, as its metadata describes it. They are read when
/// somebody signs in and believed for five minutes; the secret is read each time.
final class SignInProvider implements ClientRegistrationRepository {
  private static final Logger LOG = LoggerFactory.getLogger(SignInProvider.class);

  /// The one there is.
  static final String ID = "provider";

  static final String CALLBACK = "/sign-in/callback";
  private static final Duration BELIEVED = Duration.ofMinutes(5);

  /// How long a provider that is away is not asked again.
  private static final Duration DOUBTED = Duration.ofSeconds(1);

  private final SignInSettings settings;
  private final JwtCallers issuer;
  private final Secrets secrets;
  private final LongSupplier nanos;
  private volatile @Nullable MetadataReading last;

  SignInProvider(SignInSettings settings, JwtCallers issuer, Secrets secrets, LongSupplier nanos) {
    this.settings = settings;
    this.issuer = issuer;
    this.secrets = secrets;
    this.nanos = nanos;
  }

  /// @param failure why nothing could be read; null if it could
  private record MetadataReading(
      long at, Map<String, Object> metadata, @Nullable IOException failure) {
    boolean isBelieved(long now) {
      return now - at < (failure == null ? BELIEVED : DOUBTED).toNanos();
    }
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
    var metadata = metadata();
    var secret = secrets.resolve(SecretReference.parse(settings.clientSecret()).orElseThrow());
    return ClientRegistration.withRegistrationId(ID)
        .clientId(settings.clientId())
        .clientSecret(secret)
        .clientAuthenticationMethod(method(metadata))
        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
        .clientSettings(ClientSettings.builder().requireProofKey(true).build())
        .redirectUri(settings.url() + CALLBACK)
        .scope(settings.scopes())
        .issuerUri(issuer.settings().issuer())
        .authorizationUri(required(metadata, "authorization_endpoint"))
        .tokenUri(required(metadata, "token_endpoint"))
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
      return endpoint(metadata(), "end_session_endpoint")
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

  private Map<String, Object> metadata() {
    var reading = last;
    if (reading == null || !reading.isBelieved(nanos.getAsLong())) {
      reading = read();
    }
    var failure = reading.failure();
    if (failure != null) {
      throw new ProviderException(
          "the metadata of the provider cannot be had: " + failure, failure);
    }
    return reading.metadata();
  }

  /// Who waits for another's reading takes that one, also a failed one.
  private synchronized MetadataReading read() {
    var reading = last;
    if (reading == null || !reading.isBelieved(nanos.getAsLong())) {
      reading = readAnew();
      last = reading;
    }
    return reading;
  }

  private MetadataReading readAnew() {
    try {
      var metadata = issuer.metadata();
      return new MetadataReading(nanos.getAsLong(), metadata, null);
    } catch (IOException e) {
      return new MetadataReading(nanos.getAsLong(), Map.of(), e);
    }
  }

  private String required(Map<String, Object> metadata, String name) {
    return endpoint(metadata, name)
        .orElseThrow(() ->
            new ProviderException(
                "the metadata names no %s like the issuer's".formatted(name), null));
  }

  /// Codes and secrets that are sent without TLS can be read on the way.
  private Optional<String> endpoint(Map<String, Object> metadata, String name) {
    if (!(metadata.get(name) instanceof String address)) {
      return Optional.empty();
    }
    try {
      var uri = new URI(address);
      var scheme = URI.create(issuer.settings().issuer()).getScheme();
      return uri.getHost() != null && scheme.equals(uri.getScheme())
          ? Optional.of(address)
          : Optional.empty();
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  private static ClientAuthenticationMethod method(Map<String, Object> metadata) {
    var basic = ClientAuthenticationMethod.CLIENT_SECRET_BASIC;
    try {
      var methods =
          JSONObjectUtils.getStringList(metadata, "token_endpoint_auth_methods_supported");
      return methods == null || methods.contains(basic.getValue())
          ? basic
          : ClientAuthenticationMethod.CLIENT_SECRET_POST;
    } catch (ParseException _) {
      return basic;
    }
  }
}
