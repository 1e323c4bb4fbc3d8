package dev.superstep.node.tool;

import dev.superstep.engine.node.Span;
import dev.superstep.secret.CallerTokens.CallerToken;
import dev.superstep.secret.CallerTokens.TokenSearch;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.Optional;

/// A tool that a model can call. Thread-safe.
public interface Tool {

  Description description();

  /// Whether the token of who has started a run is needed to call it by that run, and which it is.
  default TokenSearch token(String run) throws InterruptedException {
    return new TokenSearch.NotNeeded();
  }

  /// Calls it once.
  ///
  /// @throws Exception whatever it throws becomes an error result for the model; an
  ///   InterruptedException ends the attempt
  Outcome call(Invocation invocation) throws Exception;

  /// The description of a tool for models and authors of graphs.
  ///
  /// @param name `[A-Za-z0-9_-]{1,64}`
  /// @param inputSchema JSON Schema of the arguments
  /// @param source `java`, `http`, `mcp` or `stub`
  record Description(
      String name, String text, ObjectValue inputSchema, Execution execution, String source) {}

  /// Whether a call whose outcome is unknown may be repeated.
  enum Execution {
    /// It may: the callee recognises the idempotency key, or repeating does no harm.
    IDEMPOTENT,
    /// It may not: a person decides.
    AT_MOST_ONCE
  }

  /// One call.
  ///
  /// @param arguments that satisfy the tool's schema
  /// @param idempotencyKey the same whenever this call is repeated
  /// @param run the id of the run
  /// @param graph of the run, as rows have it
  /// @param left the time it has
  /// @param span of the call: its `traceparent` goes with whatever leaves the service
  /// @param token of who has started the run, if the tool needs it
  /// @param callbackUrl where its result is to be sent; empty: it answers the call
  record Invocation(
      ObjectValue arguments,
      String idempotencyKey,
      String run,
      String graph,
      Duration left,
      Span span,
      Optional<CallerToken> token,
      Optional<String> callbackUrl) {

    Invocation(
        ObjectValue arguments,
        String idempotencyKey,
        String run,
        String graph,
        Duration left,
        Span span,
        Optional<CallerToken> token) {
      this(arguments, idempotencyKey, run, graph, left, span, token, Optional.empty());
    }
  }

  /// How a call ended.
  sealed interface Outcome {

    /// @param content for the model
    record Answered(String content) implements Outcome {}

    /// It failed or was refused; the model gets the reason.
    record Erred(String message) implements Outcome {}

    /// It is unknown whether the call was carried out.
    record Unknown(String message) implements Outcome {}
  }
}
