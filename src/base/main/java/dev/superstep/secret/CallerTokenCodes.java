package dev.superstep.secret;

/// The codes of calls of tools that are not made for want of a token of who has started the run.
public final class CallerTokenCodes {
  /// There can be none.
  public static final String UNAVAILABLE = "caller_token_unavailable";

  /// The one that there is does not do.
  public static final String REFUSED = "caller_token_refused";

  private CallerTokenCodes() {}
}
