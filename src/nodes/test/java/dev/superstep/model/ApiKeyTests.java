package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class ApiKeyTests {
  private final MockEnvironment environment = new MockEnvironment();
  private final ApiKey key =
      new ApiKey(SecretReference.parse("property:model.key"), new Secrets(environment));

  /// The provider answers with the key that it was sent, and that is another one by now.
  @Test
  void removesAKeyThatWasReplacedDuringTheCall() {
    environment.setProperty("model.key", "sk-old");
    assertThat(key.now()).hasValue("sk-old");
    environment.setProperty("model.key", "sk-new");
    assertThat(key.now()).hasValue("sk-new");

    assertThat(key.scrub("wrong key: sk-old, not sk-new")).isEqualTo("wrong key: ***, not ***");
  }

  /// The failure of a call is told, not that of the look-up behind it.
  @Test
  void removesAKeyThatIsGone() {
    environment.setProperty("model.key", "sk-old");
    assertThat(key.now()).hasValue("sk-old");
    environment.setProperty("model.key", "");

    assertThat(key.scrub("wrong key: sk-old")).isEqualTo("wrong key: ***");
  }
}
