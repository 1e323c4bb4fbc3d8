package dev.superstep.security;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.superstep.security.SignInProvider.ProviderException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;

/// What an issuer says of itself. It is read when it is needed and believed for five minutes.
final class IssuerMetadata {
  private static final Duration BELIEVED = Duration.ofMinutes(5);

  /// How long an issuer that is away is not asked again.
  private static final Duration DOUBTED = Duration.ofSeconds(1);

  private final JwtCallers issuer;
  private final LongSupplier nanos;
  private volatile @Nullable MetadataReading last;

  IssuerMetadata(JwtCallers issuer, LongSupplier nanos) {
    this.issuer = issuer;
    this.nanos = nanos;
  }

  /// @param failure why nothing could be read; null if it could
  private record MetadataReading(
      long at, Map<String, Object> metadata, @Nullable IOException failure) {
    boolean isBelieved(long now) {
      return now - at < (failure == null ? BELIEVED : DOUBTED).toNanos();
    }
  }

  /// @throws ProviderException if the metadata cannot be had, or does not name it
  String required(String name) {
    return endpoint(name)
        .orElseThrow(() ->
            new ProviderException(
                "the metadata names no %s like the issuer's".formatted(name), null));
  }

  /// Codes and secrets that are sent without TLS can be read on the way.
  Optional<String> endpoint(String name) {
    if (!(metadata().get(name) instanceof String address)) {
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

  /// How a client proves to the issuer who it is.
  ClientAuthenticationMethod method() {
    var basic = ClientAuthenticationMethod.CLIENT_SECRET_BASIC;
    try {
      var methods =
          JSONObjectUtils.getStringList(metadata(), "token_endpoint_auth_methods_supported");
      return methods == null || methods.contains(basic.getValue())
          ? basic
          : ClientAuthenticationMethod.CLIENT_SECRET_POST;
    } catch (ParseException _) {
      return basic;
    }
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
}
