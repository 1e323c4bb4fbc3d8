package dev.superstep.engine.run;

import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;

/// A question a node asks before it can be done (E30, E36, E37).
///
/// @param change held with the task, folded when it is done
/// @param schema JSON Schema of the answer
/// @param mayAnswer who may answer it
/// @param addressees whom it is for
public record InterruptRequest(
    String reason,
    Value payload,
    Change change,
    Optional<Value> schema,
    Optional<Expiry> expiry,
    MayAnswer mayAnswer,
    Addressees addressees) {

  /// A question that anybody may answer.
  public InterruptRequest(
      String reason,
      Value payload,
      Change change,
      Optional<Value> schema,
      Optional<Expiry> expiry) {
    this(reason, payload, change, schema, expiry, MayAnswer.ANYBODY, Addressees.NONE);
  }

  public InterruptRequest by(MayAnswer who) {
    return new InterruptRequest(reason, payload, change, schema, expiry, who, addressees);
  }

  public InterruptRequest to(Addressees whom) {
    return new InterruptRequest(reason, payload, change, schema, expiry, mayAnswer, whom);
  }

  public static InterruptRequest of(String reason, Value payload) {
    return new InterruptRequest(reason, payload, Change.NONE, Optional.empty(), Optional.empty());
  }

  /// @param defaultAnswer what answers the interrupt when it expires; empty: the task fails with
  ///   `interrupt_expired`
  public record Expiry(Duration after, Optional<Value> defaultAnswer) {}
}
