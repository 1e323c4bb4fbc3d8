package dev.superstep.http.connection;

import dev.superstep.problem.Setting;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/// Counts the open connections of each address. Opened ones are counted at once, closed ones at the
/// next recount: the container does not report them.
final class AddressCounts {
  /// An attacker must not have all connections counted as often as it likes.
  private static final long RECOUNT_PAUSE_NS = 100_000_000;

  private static final int SITE_BYTES = 8;

  private final int max;
  private final List<IpAddressMatcher> unlimited;
  private final Supplier<Collection<InetAddress>> open;
  private Map<String, Integer> counts = new HashMap<>();
  private long countedAt = System.nanoTime() - RECOUNT_PAUSE_NS;

  /// @param open the addresses of all open connections
  AddressCounts(int max, List<String> unlimited, Supplier<Collection<InetAddress>> open) {
    this.max = max;
    this.unlimited = blocks(unlimited);
    this.open = open;
  }

  /// @throws dev.superstep.problem.InvalidSettingException naming the one that is none
  static List<IpAddressMatcher> blocks(List<String> blocks) {
    return blocks.stream().map(String::strip).map(AddressCounts::block).toList();
  }

  private static IpAddressMatcher block(String block) {
    try {
      return new IpAddressMatcher(block);
    } catch (IllegalArgumentException _) {
      throw new Setting("superstep.connections.unlimited")
          .invalid("holds '%s', no address or block such as 10.1.0.0/16".formatted(block));
    }
  }

  /// Counts a new connection, unless its address has too many.
  synchronized boolean admits(InetAddress address) {
    if (isUnlimited(address)) {
      return true;
    }
    var site = site(address);
    if (count(site) >= max && System.nanoTime() - countedAt >= RECOUNT_PAUSE_NS) {
      recount();
    }
    if (count(site) >= max) {
      return false;
    }
    counts.merge(site, 1, Integer::sum);
    return true;
  }

  private boolean isUnlimited(InetAddress address) {
    var literal = address.getHostAddress();
    return address.isLoopbackAddress() || unlimited.stream().anyMatch(it -> it.matches(literal));
  }

  private int count(String site) {
    return counts.getOrDefault(site, 0);
  }

  /// Forgets addresses that have none, too.
  synchronized void recount() {
    countedAt = System.nanoTime();
    var counted = new HashMap<String, Integer>();
    open.get().forEach(it -> counted.merge(site(it), 1, Integer::sum));
    counts = counted;
  }

  /// A client with one IPv6 address mostly owns the 2^64 around it.
  private static String site(InetAddress address) {
    return address instanceof Inet6Address
        ? Arrays.toString(Arrays.copyOf(address.getAddress(), SITE_BYTES))
        : address.getHostAddress();
  }
}
