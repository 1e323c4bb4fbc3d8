package dev.superstep.node.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Turns host names into addresses; a parameter, so that tests can fake names.
@FunctionalInterface
interface NameResolver {
  /// At least one address.
  List<InetAddress> resolve(String host) throws UnknownHostException;

  /// Resolves names with the operating system.
  static NameResolver system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
