package dev.superstep.testing;

import dev.superstep.state.value.Value;
import java.util.Optional;

/// Who answers the questions of a run in memory.
public interface People {

  /// The answer to a question, if there is one.
  Optional<Value> answer(MemoryStore.OpenInterrupt question);

  /// What to throw about an answer that the API would refuse.
  RuntimeException refused(MemoryStore.OpenInterrupt question, Value answer, String problem);

  /// What becomes of questions without an answer.
  Unanswered unanswered();

  /// What becomes of a question without an answer.
  enum Unanswered {
    /// Time passes until it expires.
    EXPIRES,
    /// The run stays where it is.
    STAYS
  }
}
