package dev.superstep.run.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WebhookSecretTests {
  private static final byte[] BODY = "{\"a\":1}".getBytes(UTF_8);

  private static byte[] bytes(WebhookSecret secret) {
    return Base64.getDecoder().decode(secret.text().substring("whsec_".length()));
  }

  @Test
  void isWhatIsStoredOnlyWithoutAKey() {
    var plain = WebhookSecret.make(Optional.empty());
    var keyed = WebhookSecret.make(Optional.of("key"));
    assertThat(Arrays.copyOfRange(plain.stored(), 1, 33)).isEqualTo(bytes(plain.secret()));
    assertThat(Arrays.copyOfRange(keyed.stored(), 1, 33)).isNotEqualTo(bytes(keyed.secret()));
    assertThat(bytes(keyed.secret())).hasSize(32);
  }

  @Test
  void isReadWithItsKeyAlone() {
    var keyed = WebhookSecret.make(Optional.of("key"));
    var read = WebhookSecret.read(Optional.of("key"), keyed.stored()).orElseThrow();
    assertThat(read.text()).isEqualTo(keyed.secret().text());
    assertThat(read.sign("id", 1, BODY)).isEqualTo(keyed.secret().sign("id", 1, BODY));
    assertThat(WebhookSecret.read(Optional.of("other"), keyed.stored())).isEmpty();
    assertThat(WebhookSecret.read(Optional.empty(), keyed.stored())).isEmpty();
  }

  /// A key that is set later changes nothing of those that were made without.
  @Test
  void needsNoKeyIfItWasMadeWithout() {
    var plain = WebhookSecret.make(Optional.empty());
    assertThat(WebhookSecret.read(Optional.of("key"), plain.stored()).orElseThrow().text())
        .isEqualTo(plain.secret().text());
  }

  @Test
  void hidesItself() {
    var made = WebhookSecret.make(Optional.empty());
    assertThat(made.secret().sign("a", 1, BODY)).matches("v1,[A-Za-z0-9+/]{43}=");
    assertThat(made.toString()).isEqualTo("***");
    assertThat(made.secret().toString()).isEqualTo("***");
  }
}
