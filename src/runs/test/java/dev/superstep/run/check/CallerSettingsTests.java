package dev.superstep.run.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.problem.Callers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.util.unit.DataSize;

class CallerSettingsTests {
  private final CallerSettings settings =
      new Binder(List.of()).bindOrCreate("superstep.callers", CallerSettings.class);

  /// Else one caller could fill the disk of all.
  @Test
  void boundWhatACallerStoresIfNobodySaysOtherwise() {
    assertThat(settings.max(QuotaKind.STORED, "a key"))
        .isEqualTo(DataSize.ofGigabytes(10).toBytes());
    assertThat(settings.max(QuotaKind.STORED, Callers.EVERYBODY))
        .isEqualTo(DataSize.ofGigabytes(100).toBytes());
  }
}
