package dev.superstep.secret;

/// The tokens of those who have started runs, for tools that are called on their behalf.
@FunctionalInterface
public interface CallerTokens {
  /// Of a server whose callers have none.
  CallerTokens NONE =
      (_, _) ->
          new TokenSearch.Unusable(
              CallerTokenCodes.UNAVAILABLE, "the callers of this server have none");

  /// Looks for the token with which a tool is called by this run.
  ///
  /// @throws dev.superstep.engine.run.TaskFailedException if it cannot be exchanged now
  TokenSearch find(String run, OnBehalfOf wanted) throws InterruptedException;

  /// What was found.
  sealed interface TokenSearch {
    /// The tool takes none.
    record NotNeeded() implements TokenSearch {}

    /// @param subject whose it is
    /// @param edited whether a person has edited the run: others may have had a hand in what is
    ///   called
    record Available(CallerToken token, String subject, boolean edited) implements TokenSearch {}

    /// It is not here: who has started the run has to send one.
    ///
    /// @param subject that caller, as it may be shown
    record Required(String subject) implements TokenSearch {}

    /// No token of that caller will do.
    record Unusable(String code, String message) implements TokenSearch {}
  }

  /// A token, which goes into a header of the tool's request and nowhere else.
  record CallerToken(String value) {
    @Override
    public String toString() {
      return "***";
    }
  }
}
