package dev.superstep.secret;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/// Reads secrets at the moment they are needed, so that a rotated one is used at the next call. Its
/// results must go into a request header and nowhere else: no state, event, log or trace.
@Component
public final class Secrets {
  private static final int BYTES_MAX = 65_536;
  private final Function<String, @Nullable String> properties;

  @Autowired
  public Secrets(Environment environment) {
    this(environment::getProperty);
  }

  private Secrets(Function<String, @Nullable String> properties) {
    this.properties = properties;
  }

  /// Without properties.
  public static Secrets withoutProperties() {
    return new Secrets(_ -> null);
  }

  /// For one call.
  public SecretsOfCall ofCall() {
    return new SecretsOfCall(this);
  }

  /// @throws MissingSecretException if the secret is not where its reference points
  public String resolve(SecretReference reference) {
    return find(reference)
        .map(String::strip)
        .filter(it -> !it.isEmpty())
        .orElseThrow(() -> new MissingSecretException("there is no secret at " + reference));
  }

  private Optional<String> find(SecretReference reference) {
    return switch (reference) {
      case SecretReference.Variable(var name) -> Optional.ofNullable(System.getenv(name));
      case SecretReference.Property(var name) -> Optional.ofNullable(properties.apply(name));
      case SecretReference.File file -> read(file);
    };
  }

  private static Optional<String> read(SecretReference.File file) {
    try {
      return Files.size(file.path()) > BYTES_MAX
          ? Optional.empty()
          : Optional.of(Files.readString(file.path()));
    } catch (IOException e) {
      throw new MissingSecretException("the secret at %s cannot be read".formatted(file), e);
    }
  }
}
