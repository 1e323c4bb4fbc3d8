package dev.superstep.node.http;

/// A request that cannot be sent as the node describes it: trying again changes nothing.
final class BadRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BadRequestException(String message) {
    super(message);
  }
}
