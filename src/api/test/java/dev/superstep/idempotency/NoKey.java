package dev.superstep.idempotency;

import org.springframework.mock.web.MockHttpServletRequest;

/// The key of a call that has none.
public final class NoKey {
  private NoKey() {}

  public static IdempotencyKey key() {
    return IdempotencyKey.of(new MockHttpServletRequest());
  }
}
