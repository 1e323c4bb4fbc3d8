package dev.superstep.run;

import dev.superstep.checkpoint.Lane;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.GraphRegistry.Shown;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Which versions of a graph can be started. Runs that are started at the same moment share the
/// look, which begins when all of them have asked: whoever has seen a graph being posted finds it.
@Component
class ShownGraphs {
  private final GraphRegistry graphs;
  private final Lane<Question> lane;

  /// One caller's question, and what came of it.
  private static final class Question implements Lane.Member {
    private final String name;
    private @Nullable Shown answer;
    private @Nullable RuntimeException failure;

    private Question(String name) {
      this.name = name;
    }

    @Override
    public long bytes() {
      return name.length();
    }
  }

  ShownGraphs(GraphRegistry graphs, Lane.Bounds bounds) {
    this.graphs = graphs;
    this.lane = new Lane<>(bounds, this::look);
  }

  Optional<Shown> find(String name) {
    if (TransactionSynchronizationManager.isActualTransactionActive()) {
      return Optional.ofNullable(graphs.shown(List.of(name)).get(name));
    }
    var question = new Question(name);
    lane.write(question);
    if (question.failure != null) {
      throw question.failure;
    }
    return Optional.ofNullable(question.answer);
  }

  private void look(List<Question> questions) {
    Map<String, Shown> found;
    try {
      found =
          graphs.shown(
              questions.stream().map(it -> it.name).collect(Collectors.toUnmodifiableSet()));
    } catch (RuntimeException e) {
      questions.forEach(it -> it.failure = e);
      return;
    }
    questions.forEach(it -> it.answer = found.get(it.name));
  }
}
