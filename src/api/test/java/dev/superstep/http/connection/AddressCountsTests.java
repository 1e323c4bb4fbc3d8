package dev.superstep.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressCountsTests {
  private final Collection<InetAddress> open = new ArrayList<>();
  private final AddressCounts counts =
      new AddressCounts(2, List.of("10.9.0.0/16", "2001:db8:9::/48"), () -> open);

  private boolean admits(String address) {
    var literal = InetAddress.ofLiteral(address);
    boolean admitted = counts.admits(literal);
    if (admitted) {
      open.add(literal);
    }
    return admitted;
  }

  @Test
  void refusesTheConnectionThatIsTooMany() {
    assertThat(List.of(admits("192.0.2.1"), admits("192.0.2.1"), admits("192.0.2.1")))
        .containsExactly(true, true, false);
    assertThat(admits("192.0.2.2")).isTrue();
  }

  @Test
  void countsClosedConnectionsNoMore() {
    admits("192.0.2.1");
    admits("192.0.2.1");
    open.clear();
    counts.recount();

    assertThat(admits("192.0.2.1")).isTrue();
  }

  @Test
  void takesTheAddressesOfOneIpv6NetworkForOne() {
    assertThat(List.of(admits("2001:db8::1"), admits("2001:db8::2"), admits("2001:db8::3")))
        .containsExactly(true, true, false);
    assertThat(admits("2001:db8:0:1::1")).isTrue();
  }

  @Test
  void letsProxiesAndThisMachineHaveMore() {
    for (var address : List.of("10.9.1.1", "2001:db8:9::1", "127.0.0.1", "::1")) {
      assertThat(List.of(admits(address), admits(address), admits(address))).containsOnly(true);
    }
  }
}
