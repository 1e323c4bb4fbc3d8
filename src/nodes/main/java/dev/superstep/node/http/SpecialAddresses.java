package dev.superstep.node.http;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Knows the addresses that are not out on the public internet: the special-purpose registries of
/// IANA (RFC 6890), and addresses of IPv6 that carry an IPv4 address to be judged instead.
final class SpecialAddresses {
  private static final List<AddressBlock> IPV4 =
      List.of(
          AddressBlock.of("0.0.0.0/8", "an unspecified address"),
          AddressBlock.of("10.0.0.0/8", "a private address"),
          AddressBlock.of("100.64.0.0/10", "an address of carrier-grade NAT"),
          AddressBlock.of("127.0.0.0/8", "a loopback address"),
          AddressBlock.of("168.63.129.16/32", "a cloud metadata address"),
          AddressBlock.of("169.254.0.0/16", "a link-local address"),
          AddressBlock.of("172.16.0.0/12", "a private address"),
          AddressBlock.of("192.0.0.0/24", "a reserved address"),
          AddressBlock.of("192.0.2.0/24", "a documentation address"),
          AddressBlock.of("192.88.99.0/24", "a relay address"),
          AddressBlock.of("192.168.0.0/16", "a private address"),
          AddressBlock.of("198.18.0.0/15", "a benchmarking address"),
          AddressBlock.of("198.51.100.0/24", "a documentation address"),
          AddressBlock.of("203.0.113.0/24", "a documentation address"),
          AddressBlock.of("224.0.0.0/4", "a multicast address"),
          AddressBlock.of("240.0.0.0/4", "a reserved address"));

  private static final List<AddressBlock> IPV6 =
      List.of(
          AddressBlock.of("::/128", "an unspecified address"),
          AddressBlock.of("::1/128", "a loopback address"),
          AddressBlock.of("fc00::/7", "a private address"),
          AddressBlock.of("fe80::/10", "a link-local address"),
          AddressBlock.of("fec0::/10", "a site-local address"),
          AddressBlock.of("ff00::/8", "a multicast address"),
          AddressBlock.of("2001::/23", "a reserved address"),
          AddressBlock.of("2001:db8::/32", "a documentation address"),
          AddressBlock.of("3fff::/20", "a documentation address"));

  private static final AddressBlock GLOBAL = AddressBlock.of("2000::/3", "a global address");
  private static final AddressBlock NAT64 = AddressBlock.of("64:ff9b::/96", "NAT64");
  private static final AddressBlock SIX_TO_FOUR = AddressBlock.of("2002::/16", "6to4");

  private SpecialAddresses() {}

  /// Why the address is none of the public internet; empty if it is.
  static Optional<String> describe(InetAddress address) {
    var bytes = address.getAddress();
    return bytes.length == 4 ? find(IPV4, bytes) : describeIpv6(bytes);
  }

  private static Optional<String> describeIpv6(byte[] bytes) {
    var special = find(IPV6, bytes);
    if (special.isPresent()) {
      return special;
    }
    if (NAT64.contains(bytes)) {
      return find(IPV4, Arrays.copyOfRange(bytes, 12, 16));
    }
    if (!GLOBAL.contains(bytes)) {
      return Optional.of("a reserved address");
    }
    if (SIX_TO_FOUR.contains(bytes)) {
      return find(IPV4, Arrays.copyOfRange(bytes, 2, 6));
    }
    return isatap(bytes) ? find(IPV4, Arrays.copyOfRange(bytes, 12, 16)) : Optional.empty();
  }

  /// ISATAP (RFC 5214) ends in `[0|2]00:5efe` and an IPv4 address.
  private static boolean isatap(byte[] bytes) {
    return (bytes[8] & 0xfd) == 0
        && bytes[9] == 0
        && bytes[10] == 0x5e
        && (bytes[11] & 0xff) == 0xfe;
  }

  private static Optional<String> find(List<AddressBlock> blocks, byte[] address) {
    return blocks.stream()
        .filter(block -> block.contains(address))
        .map(AddressBlock::use)
        .findFirst();
  }
}
