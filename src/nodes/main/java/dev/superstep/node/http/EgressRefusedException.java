package dev.superstep.node.http;

import java.net.UnknownHostException;

/// An address that HTTP nodes may not reach. It is an `UnknownHostException` because that is what
/// the client's resolver may throw.
final class EgressRefusedException extends UnknownHostException {
  private static final long serialVersionUID = 1L;

  EgressRefusedException(String message) {
    super(message);
  }
}
