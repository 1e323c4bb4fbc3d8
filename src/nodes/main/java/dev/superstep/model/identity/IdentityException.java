package dev.superstep.model.identity;

import java.io.IOException;

/// A cloud does not give this process what its calls need; asking again soon will not help, unless
/// it says so.
public final class IdentityException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean passes;

  /// @param message without secrets
  IdentityException(String message) {
    this(message, false);
  }

  /// @param passes whether another attempt may help
  IdentityException(String message, boolean passes) {
    super(message);
    this.passes = passes;
  }

  /// Nobody who gives tokens can be asked.
  public static IdentityException away(Exception cause) {
    var away =
        new IdentityException(
            "the one who gives tokens cannot be asked (%s)"
                .formatted(cause.getClass().getSimpleName()),
            true);
    away.initCause(cause);
    return away;
  }

  public boolean passes() {
    return passes;
  }
}
