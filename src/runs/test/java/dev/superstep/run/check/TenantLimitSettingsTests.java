package dev.superstep.run.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

class TenantLimitSettingsTests {
  private static TenantLimitSettings bound(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate("superstep.tenants", TenantLimitSettings.class);
  }

  /// Else one tenant with many keys could fill the disk of all.
  @Test
  void boundTenantsIfNobodySaysOtherwise() {
    var settings = bound(Map.of());

    assertThat(settings.max(QuotaKind.RUNS, "acme")).isEqualTo(100_000);
    assertThat(settings.max(QuotaKind.STREAMS, "acme")).isEqualTo(250);
    assertThat(settings.max(QuotaKind.STORED, "acme"))
        .isEqualTo(DataSize.ofGigabytes(100).toBytes());
  }

  @Test
  void haveWhatIsSetForOneTenantStandAboveWhatHoldsForAll() {
    var settings =
        bound(
            Map.of(
                "superstep.tenants.stored-max", "0B",
                "superstep.tenants.limits.acme-west.stored-max", "5MB",
                "superstep.tenants.limits.acme-west.streams-max", "0"));

    assertThat(settings.max(QuotaKind.STORED, "acme-west"))
        .isEqualTo(DataSize.ofMegabytes(5).toBytes());
    assertThat(settings.max(QuotaKind.STREAMS, "acme-west")).isZero();
    assertThat(settings.max(QuotaKind.RUNS, "acme-west")).isEqualTo(100_000);
    assertThat(settings.max(QuotaKind.STORED, "globex")).isZero();
    assertThat(settings.isBounded(QuotaKind.STORED)).as("of one").isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "superstep.tenants.runs-max, -1",
    "superstep.tenants.limits.acme.runs-max, -1",
    "superstep.tenants.limits.acme.stored-max, -1B",
    "superstep.tenants.limits.acme_west.runs-max, 1"
  })
  void refuseWhatNothingCanWorkWith(String property, String value) {
    assertThatThrownBy(() -> bound(Map.of(property, value)))
        .rootCause()
        .hasMessageContaining("superstep.tenants");
  }

  /// Else the tenant would have what all have, and nobody would know.
  @ParameterizedTest
  @CsvSource({
    "superstep.tenants.limits.acme.run-max, 1",
    "superstep.tenants.limits.acme.runs-max.soft, 1",
    "superstep.tenants.limits.acme, 1"
  })
  void refuseWhatIsNoLimitOfATenant(String property, String value) {
    var properties = Map.of("superstep.tenants.limits.globex.runs-max", "1", property, value);

    assertThatThrownBy(() -> check(properties)).hasMessageContaining(property);
  }

  @Test
  void takeAllLimitsOfATenantHoweverTheyAreWritten() {
    assertThatCode(() ->
            check(
                Map.of(
                    "superstep.tenants.limits.acme-west.runs-max", "1",
                    "superstep.tenants.limits.acme.streamsMax", "2",
                    "superstep.tenants.limits.acme.storedmax", "3MB")))
        .doesNotThrowAnyException();
  }

  private static void check(Map<String, String> properties) {
    TenantLimitNames.check(new Binder(new MapConfigurationPropertySource(properties)));
  }
}
