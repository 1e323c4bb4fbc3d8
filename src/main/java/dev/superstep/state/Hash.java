package dev.superstep.state;

/// 32 bytes of SHA-256 that nobody changes. Its field is final, so threads may share it unlocked.
final class Hash {
  private final byte[] bytes;

  /// @param bytes not changed from here on
  Hash(byte[] bytes) {
    this.bytes = bytes;
  }

  /// To read only.
  byte[] bytes() {
    return bytes;
  }
}
