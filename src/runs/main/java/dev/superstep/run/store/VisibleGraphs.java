package dev.superstep.run.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.GraphRegistry.Shown;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Reads which versions of a graph can be started. Runs that are started at the same moment share a
/// query, which begins after all of their requests: a graph whose POST was answered is found. A
/// failed shared query is not reported to all: each caller then queries for itself.
@Component
class VisibleGraphs {
  /// One query at a time makes the fewest of them.
  private static final WriteBatcher.BatchBounds BOUNDS =
      new WriteBatcher.BatchBounds(1, 256, 1 << 20);

  private static final int REMEMBERED_MAX = 10_000;

  private final GraphRegistry graphs;
  private final Cache<String, Shown> remembered =
      Caffeine.newBuilder().maximumSize(REMEMBERED_MAX).build();
  private final WriteBatcher<NameQuery> writeBatcher = new WriteBatcher<>(BOUNDS, this::load);

  /// The name that one caller asks for, and the result.
  private static final class NameQuery implements WriteBatcher.Member {
    private final String name;
    private boolean isAnswered;
    private @Nullable Shown answer;

    private NameQuery(String name) {
      this.name = name;
    }

    @Override
    public long bytes() {
      return name.length();
    }
  }

  VisibleGraphs(GraphRegistry graphs) {
    this.graphs = graphs;
  }

  /// What the last look-up of this process has found: another replica may have posted since.
  Optional<Shown> remembered(String name) {
    return Optional.ofNullable(remembered.getIfPresent(name)).filter(_ -> Tenant.admits(name));
  }

  Optional<Shown> find(String name) {
    var found = read(name).filter(_ -> Tenant.admits(name));
    found.ifPresentOrElse(it -> remembered.put(name, it), () -> remembered.invalidate(name));
    return found;
  }

  private Optional<Shown> read(String name) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      var nameQuery = new NameQuery(name);
      try {
        writeBatcher.write(nameQuery);
      } catch (StoreUnavailableException _) {
        // Interrupted during the shared query: the caller's own query below reports that.
      }
      if (nameQuery.isAnswered) {
        return Optional.ofNullable(nameQuery.answer);
      }
    }
    return Optional.ofNullable(graphs.shown(List.of(name)).get(name));
  }

  private void load(List<NameQuery> nameQueries) {
    var names = nameQueries.stream().map(it -> it.name).collect(Collectors.toUnmodifiableSet());
    var found = graphs.shown(names);
    for (var nameQuery : nameQueries) {
      nameQuery.answer = found.get(nameQuery.name);
      nameQuery.isAnswered = true;
    }
  }
}
