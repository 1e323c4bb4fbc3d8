package dev.superstep.security;

/// A key that was just made.
///
/// @param secret what its bearer sends; it is stored nowhere
record MadeKey(StoredKey key, String secret) {

  @Override
  public String toString() {
    return "MadeKey[" + key.id() + "]";
  }
}
