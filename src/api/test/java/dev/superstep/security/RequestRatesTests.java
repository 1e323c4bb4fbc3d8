package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestRatesTests {
  private static final Tenant ACME = new Tenant("acme");
  private final AtomicLong nanos = new AtomicLong(7);

  private RequestRates rates(int tenant, int caller) {
    return new RequestRates(new RateSettings(tenant, caller, Duration.ofSeconds(2)), nanos::get);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /// How many of so many requests at once are admitted.
  private static int admitted(RequestRates rates, Tenant tenant, String caller, int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      if (catchThrowableOfType(ServiceException.class, () -> rates.admit(tenant, caller)) == null) {
        admitted++;
      }
    }
    return admitted;
  }

  @Test
  void admitsABurstAndThenTheRate() {
    var rates = rates(0, 10);

    assertThat(admitted(rates, ACME, "ann", 100)).isEqualTo(20);
    pass(Duration.ofMillis(500));
    assertThat(admitted(rates, ACME, "ann", 100)).isEqualTo(5);
    pass(Duration.ofMillis(1_500));
    assertThat(admitted(rates, ACME, "ann", 1)).isOne();
    pass(Duration.ofMillis(1_500));
    assertThat(admitted(rates, ACME, "ann", 100)).isEqualTo(20);
  }

  @Test
  void saysWhenToComeAgain() {
    var rates = rates(0, 1);
    assertThat(admitted(rates, ACME, "ann", 3)).isEqualTo(2);

    var refused = catchThrowableOfType(ServiceException.class, () -> rates.admit(ACME, "ann"));

    assertThat(refused.code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(refused.members()).containsEntry("retry_after", 1L);
    pass(Duration.ofSeconds(1));
    assertThat(admitted(rates, ACME, "ann", 3)).isEqualTo(1);
  }

  @Test
  void leavesOtherCallersAndTenantsTheirs() {
    var rates = rates(20, 10);

    assertThat(admitted(rates, ACME, "ann", 100)).isEqualTo(20);
    assertThat(admitted(rates, ACME, "bob", 100)).isEqualTo(20);
    assertThat(admitted(rates, ACME, "carl", 100)).isZero();
    assertThat(admitted(rates, Tenant.DEFAULT, "dora", 100)).isEqualTo(20);
  }

  /// What a tenant may not, its callers have not used up.
  @Test
  void takesATokenOfBothOrNone() {
    var rates = rates(2, 1);
    assertThat(admitted(rates, ACME, "ann", 2)).isEqualTo(2);
    assertThat(admitted(rates, ACME, "bob", 2)).isEqualTo(2);

    assertThat(admitted(rates, ACME, "carl", 50)).isZero();

    pass(Duration.ofSeconds(1));
    assertThat(admitted(rates, ACME, "carl", 50)).isEqualTo(2);
  }

  @Test
  void boundsNothingUnlessItIsSet() {
    var rates = rates(0, 0);

    assertThat(rates.isBounded()).isFalse();
    assertThat(admitted(rates, ACME, "ann", 10_000)).isEqualTo(10_000);
  }
}
