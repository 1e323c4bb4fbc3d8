package dev.superstep.testing.kit;

import dev.superstep.state.value.Value;
import dev.superstep.testing.MemoryStore;
import dev.superstep.testing.People;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Those who answer the questions of a test's run: by what the test has prepared, or now.
final class Visitors implements People {
  private final ScenarioAnswers prepared;
  private final Map<String, Value> now = new HashMap<>();

  Visitors(ScenarioAnswers prepared) {
    this.prepared = prepared;
  }

  /// Answers this question, once.
  Visitors with(MemoryStore.Open question, Value answer) {
    now.put(question.interrupt().id(), answer);
    return this;
  }

  @Override
  public Optional<Value> answer(MemoryStore.Open question) {
    return Optional.ofNullable(now.remove(question.interrupt().id()))
        .or(() -> prepared.person(question.task().node().value()));
  }

  @Override
  public RuntimeException refused(MemoryStore.Open question, Value answer, String problem) {
    return new IllegalArgumentException(
        "node '%s': %s".formatted(question.task().node().value(), problem));
  }

  @Override
  public Unanswered unanswered() {
    return Unanswered.STAYS;
  }
}
