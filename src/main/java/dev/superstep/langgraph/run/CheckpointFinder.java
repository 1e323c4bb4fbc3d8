package dev.superstep.langgraph.run;

import dev.superstep.http.Cursor;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.view.CheckpointRef;
import dev.superstep.run.view.Page;
import dev.superstep.run.view.ThreadCheckpointId;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Finds checkpoints of threads by the ids that histories show.
@Component
@OnLangGraph
class CheckpointFinder {
  private final ThreadQueries threads;

  CheckpointFinder(ThreadQueries threads) {
    this.threads = threads;
  }

  /// @throws ServiceException `checkpoint_not_found`
  CheckpointRef find(String thread, String id) {
    return ThreadCheckpointId.parse(id)
        .flatMap(it -> at(thread, it))
        .orElseThrow(() ->
            new ServiceException(
                ErrorCode.CHECKPOINT_NOT_FOUND,
                "thread '%s' has no checkpoint '%s'".formatted(thread, id)));
  }

  private Optional<CheckpointRef> at(String thread, ThreadCheckpointId id) {
    var behind =
        Cursor.write(
            List.of(
                id.at().toString(),
                Long.toString(id.ordinal()),
                Integer.toString(id.number() + 1)));
    return threads.history(thread, new Page.Request(Optional.of(behind), 1)).items().stream()
        .map(it -> it.position())
        .filter(it -> it.id().equals(id))
        .map(it -> it.at())
        .findFirst();
  }
}
