package dev.superstep.run.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.tenant.Tenant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeliveryTurnsTests {
  private static final Tenant BUSY = new Tenant("busy");
  private static final Tenant OTHER = new Tenant("other");

  private static long begun(DeliveryTurns turns, Tenant tenant) {
    return IntStream.range(0, 100).filter(_ -> turns.begin(tenant)).count();
  }

  @Test
  void leavesRoomForOtherTenants() {
    var turns = new DeliveryTurns(16, 16);
    assertThat(begun(turns, BUSY)).isEqualTo(8);
    assertThat(begun(turns, OTHER)).isEqualTo(4);

    turns.end(BUSY);

    assertThat(begun(turns, BUSY)).isZero();
    IntStream.range(0, 4).forEach(_ -> turns.end(OTHER));
    assertThat(begun(turns, BUSY)).isEqualTo(1);
  }

  @Test
  void boundsEachTenant() {
    var turns = new DeliveryTurns(16, 1);
    assertThat(begun(turns, BUSY)).isEqualTo(1);
    assertThat(begun(turns, OTHER)).isEqualTo(1);
    turns.end(BUSY);
    assertThat(begun(turns, BUSY)).isEqualTo(1);
  }
}
