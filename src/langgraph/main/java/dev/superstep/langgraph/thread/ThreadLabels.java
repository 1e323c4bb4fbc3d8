package dev.superstep.langgraph.thread;

import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.run.NewThread;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.ThreadService;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Notes in the metadata of a thread what runs in it: clients find their threads by it.
@Component
@OnLangGraph
public class ThreadLabels {
  static final String GRAPH = "graph_id";
  static final String ASSISTANT = "assistant_id";
  private final ThreadQueries queries;
  private final ThreadService threads;

  ThreadLabels(ThreadQueries queries, ThreadService threads) {
    this.queries = queries;
    this.threads = threads;
  }

  /// Makes the thread with its labels.
  ///
  /// @return false: there is such a thread, which has not been changed
  public boolean make(String thread, String graph, String assistant) {
    var made =
        threads.create(
            new NewThread(
                Optional.of(thread), labels(graph, assistant), NewThread.IfExists.DO_NOTHING));
    return !made.existed();
  }

  private static ObjectValue labels(String graph, String assistant) {
    return ObjectValue.of(GRAPH, Tenant.shown(graph)).plus(ASSISTANT, Tenant.shown(assistant));
  }

  /// Writes nothing if the thread says so already.
  public void label(String thread, String graph, String assistant) {
    label(thread, queries.metadata(thread), graph, assistant);
  }

  /// @param metadata as it was read for this call
  public void label(String thread, ObjectValue metadata, String graph, String assistant) {
    var labels = labels(graph, assistant);
    if (!metadata.plusAll(labels).equals(metadata)) {
      threads.describe(thread, labels);
    }
  }
}
