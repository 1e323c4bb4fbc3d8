package dev.superstep.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.problem.InvalidSettingException;
import dev.superstep.secret.SecretSettings.Released;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// To which graphs a secret is released.
class ReleasedSecretsTests {
  private static final URI URL = URI.create("https://weather.example/x");
  private static final SecretUse USE = SecretUse.parse("secret:weather").orElseThrow();

  private static ReleasedSecrets to(String... graphs) {
    var path = List.of("weather.example");
    var released = new Released("env:PATH", path, List.of(graphs));
    return new ReleasedSecrets(new SecretSettings(Map.of("weather", released)));
  }

  @ParameterizedTest
  @CsvSource({
    "order, order, true",
    "order, acme/order, false",
    "order, order#part, false",
    "*, acme/order, false",
    "acme/*, acme/order, true",
    "acme/*, order, false",
    "globex/*, acme/order, false"
  })
  void sendsItForGraphsOfTheTenantThatItNames(String pattern, String graph, boolean sends) {
    var sent = Secrets.withoutProperties().ofCall();
    if (sends) {
      assertThat(to(pattern).value(USE, graph, URL, sent)).isNotEmpty();
    } else {
      assertThatThrownBy(() -> to(pattern).value(USE, graph, URL, sent))
          .isInstanceOf(MissingSecretException.class)
          .hasMessageContaining("may not use the secret 'weather'");
      assertThat(sent.isNone()).isTrue();
    }
    assertThat(to().value(USE, graph, URL, sent)).isNotEmpty();
  }

  @Test
  void refusesPatternsThatAreNone() {
    assertThatThrownBy(() -> to(" "))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("superstep.secrets.weather.graphs");
  }
}
