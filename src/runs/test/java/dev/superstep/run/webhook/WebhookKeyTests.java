package dev.superstep.run.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.secret.MissingSecretException;
import dev.superstep.secret.Secrets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

class WebhookKeyTests {
  @TempDir private Path folder;

  /// Nothing is signed with a key that is not there, as if there were none.
  @Test
  void makesAndReadsNothingWhileTheKeyIsMissing() {
    var settings =
        new WebhookSettings(
            "file:" + folder.resolve("none"),
            1,
            Duration.ofSeconds(1),
            Duration.ofDays(1),
            Duration.ofDays(1),
            DataSize.ofKilobytes(1),
            1,
            1,
            1);
    var key = new WebhookKey(Secrets.withoutProperties(), settings);
    assertThatThrownBy(key::make)
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.HOOK_UNAVAILABLE));
    var stored = WebhookSecret.make(Optional.empty()).stored();
    assertThatThrownBy(() -> key.read(stored)).isInstanceOf(MissingSecretException.class);
  }
}
