package dev.superstep.node.http;

import java.net.InetAddress;

/// A range of IP addresses, such as `10.0.0.0/8`.
///
/// @param bits length of the prefix that addresses share
/// @param use why the range is special, for messages
record AddressBlock(byte[] prefix, int bits, String use) {

  /// @param cidr an IPv4 or IPv6 literal, `/`, and the length of the prefix
  static AddressBlock of(String cidr, String use) {
    int slash = cidr.indexOf('/');
    var prefix = InetAddress.ofLiteral(cidr.substring(0, slash)).getAddress();
    return new AddressBlock(prefix, Integer.parseInt(cidr.substring(slash + 1)), use);
  }

  boolean contains(byte[] address) {
    if (address.length != prefix.length) {
      return false;
    }
    int whole = bits / 8;
    for (int i = 0; i < whole; i++) {
      if (address[i] != prefix[i]) {
        return false;
      }
    }
    int mask = (0xff << (8 - bits % 8)) & 0xff;
    return bits % 8 == 0 || (address[whole] & mask) == (prefix[whole] & mask);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AddressBlock(var otherPrefix, var otherBits, _)
        && bits == otherBits
        && java.util.Arrays.equals(prefix, otherPrefix);
  }

  @Override
  public int hashCode() {
    return java.util.Arrays.hashCode(prefix) * 31 + bits;
  }

  @Override
  public String toString() {
    return use;
  }
}
