package dev.superstep.langgraph.thread;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.context.ContextEdit;
import dev.superstep.graph.Limits;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.langgraph.GraphMessages;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ForkRun;
import dev.superstep.run.IfBusy;
import dev.superstep.run.InputEdit;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.ResumeRun.Onward;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.run.SettingsChange;
import dev.superstep.run.StartRun;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.ThreadStatus;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Edits the states of threads. Nothing runs because of it: a run that has stopped is edited where
/// it stands; from any other state a run is made that does not go on.
@Component
@OnLangGraph
class ThreadEdits {
  private static final String START = "__start__";
  private static final Set<String> AS_INPUT = Set.of(START, "__input__");
  private static final String COPY = "__copy__";

  /// How often an edit is prepared anew because its thread has moved.
  private static final int TRIES = 8;

  private final ThreadQueries threads;
  private final ThreadStates states;
  private final RunQueries queries;
  private final RunService runs;
  private final GraphMessages graphs;
  private final Idempotency idempotency;
  private final TransactionOperations transaction;

  ThreadEdits(
      ThreadQueries threads,
      ThreadStates states,
      RunQueries queries,
      RunService runs,
      GraphMessages graphs,
      Idempotency idempotency,
      TransactionOperations transaction) {
    this.idempotency = idempotency;
    this.threads = threads;
    this.states = states;
    this.queries = queries;
    this.runs = runs;
    this.graphs = graphs;
    this.transaction = transaction;
  }

  /// An edit as a request describes it.
  ///
  /// @param asNode whose result it counts as; empty: what is pending stays
  /// @param pointer of the edit in the request
  record StateEditRequest(Value values, Optional<String> asNode, String pointer) {
    static StateEditRequest of(RequestFields fields) {
      return new StateEditRequest(
          fields.value("values").orElse(Value.NULL),
          fields.text("as_node").filter(it -> !it.equals(COPY)),
          fields.pointer("values"));
    }

    boolean isInput() {
      return asNode.filter(AS_INPUT::contains).isPresent();
    }
  }

  /// @param checkpoint that is edited; empty: the newest
  /// @throws ServiceException `thread_busy` while a run of the thread is driven
  void edit(String thread, Optional<String> checkpoint, StateEditRequest edit) {
    unmoved(
        thread,
        () -> {
          var effect = prepare(thread, checkpoint, edit);
          transaction.executeWithoutResult(_ -> effect.run());
          return thread;
        });
  }

  /// Like [#edit], once for a key.
  StoredAnswer once(
      String thread, Optional<String> checkpoint, StateEditRequest edit, IdempotencyKey key) {
    return idempotency
        .known(key)
        .orElseGet(() ->
            unmoved(
                thread,
                () -> {
                  var effect = prepare(thread, checkpoint, edit);
                  return idempotency.once(
                      key,
                      () -> {
                        transaction.executeWithoutResult(_ -> effect.run());
                        return new StoredAnswer(HttpStatus.OK.value(), thread);
                      });
                }));
  }

  /// The thread has moved since an edit was prepared.
  private static final class Moved extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /// Has an edit that was prepared for another state of the thread prepared anew.
  private static <T> T unmoved(String thread, Supplier<T> edit) {
    for (int i = 0; i < TRIES; i++) {
      try {
        return edit.get();
      } catch (Moved _) {
        // The next one looks again.
      }
    }
    throw busy(thread);
  }

  private static ServiceException busy(String thread) {
    return new ServiceException(
        ErrorCode.THREAD_BUSY,
        "thread '%s' has a run that goes on; wait for it or cancel it".formatted(thread));
  }

  /// What an edit was prepared for.
  private record SeenHead(Optional<CheckpointRef> head, ThreadStatus status) {}

  private SeenHead look(String thread) {
    return new SeenHead(threads.thread(thread).head(), threads.summary(thread).status());
  }

  /// What is left to be done in a transaction, which has the thread's lock and checks that the
  /// thread is as it was.
  private Runnable prepare(String thread, Optional<String> checkpoint, StateEditRequest edit) {
    var seen = look(thread);
    var effect = prepared(thread, checkpoint, edit);
    return () -> {
      if (runs.hold(thread).isPresent() || !look(thread).equals(seen)) {
        throw new Moved();
      }
      effect.run();
    };
  }

  private Runnable prepared(String thread, Optional<String> checkpoint, StateEditRequest edit) {
    var summary = threads.summary(thread);
    if (summary.status() == ThreadStatus.BUSY) {
      throw busy(thread);
    }
    var newest = threads.history(thread, Optional.empty(), 1).stream().findFirst();
    var at =
        checkpoint
            .map(it -> states.find(thread, it).at())
            .or(() -> newest.map(it -> it.position().at()));
    if (at.isEmpty()) {
      return begin(thread, graph(summary.metadata()), edit);
    }
    if (edit.isInput() || at.get().isBeforeInput()) {
      var origin = queries.summary(at.get().run()).origin();
      return input(thread, origin.graph(), edit, at);
    }
    return checkpoint.isEmpty() && edit.asNode().isEmpty() && hasStopped(at.get())
        ? inPlace(at.get(), edit)
        : fork(thread, at.get(), edit);
  }

  private static String graph(ObjectValue metadata) {
    if (metadata.get(ThreadLabels.GRAPH) instanceof Value.Text(var graph)) {
      return graph;
    }
    throw new ServiceException(
        ErrorCode.INVALID_VALUE,
        "the thread has no state yet; give it metadata.graph_id, so that the channels are known");
  }

  /// The first state of a thread.
  private Runnable begin(String thread, String graph, StateEditRequest edit) {
    if (edit.asNode().isEmpty() || edit.isInput()) {
      return input(thread, graph, edit, Optional.empty());
    }
    var empty =
        input(
            thread,
            graph,
            new StateEditRequest(Value.NULL, Optional.empty(), ""),
            Optional.empty());
    transaction.executeWithoutResult(_ -> empty.run());
    var first = threads.history(thread, Optional.empty(), 1).getFirst();
    return fork(thread, first.position().at(), edit);
  }

  private Runnable input(
      String thread, String graph, StateEditRequest edit, Optional<CheckpointRef> from) {
    var change = change(graph, edit);
    var start =
        runs.check(
            new StartRun(
                    graph,
                    Optional.empty(),
                    change.overwrite().plusAll(change.update()),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(thread),
                    Map.of(),
                    StartRun.Options.DEFAULT.from(from))
                .with(InputEdit.of(change)));
    return () -> {
      runs.endStopped(thread);
      String _ = runs.startAtRest(start);
    };
  }

  private Change change(String graph, StateEditRequest edit) {
    return graphs.newest(graph).toChange(edit.values(), edit.pointer());
  }

  private Change change(CheckpointRef at, StateEditRequest edit) {
    var origin = queries.summary(at.run()).origin();
    return graphs.of(origin.graph(), origin.version()).toChange(edit.values(), edit.pointer());
  }

  private boolean hasStopped(CheckpointRef at) {
    return switch (queries.summary(at.run()).status()) {
      case INTERRUPTED, FAILED -> true;
      case QUEUED, RUNNING, WAITING, CANCELLING, SUCCEEDED, CANCELLED -> false;
    };
  }

  private Runnable inPlace(CheckpointRef at, StateEditRequest edit) {
    var change = change(at, edit);
    if (change.isEmpty()) {
      return () -> {};
    }
    var resume =
        new ResumeRun(
            at.run(),
            List.of(),
            List.of(),
            Optional.of(change),
            Limits.NONE,
            ContextEdit.NONE,
            new Onward(List.of(), false),
            SettingsChange.NONE);
    var answers = runs.check(resume);
    return () -> {
      var _ = runs.resume(resume, answers);
    };
  }

  private Runnable fork(String thread, CheckpointRef at, StateEditRequest edit) {
    var change = change(at, edit);
    var fork =
        new ForkRun(
            at.run(),
            at.checkpoint(),
            Optional.empty(),
            Optional.of(change).filter(it -> !it.isEmpty()),
            edit.asNode().map(it -> AS_INPUT.contains(it) ? START : it),
            Limits.NONE,
            ContextEdit.NONE,
            Optional.of(thread),
            IfBusy.REJECT,
            SettingsChange.NONE);
    runs.prepare(fork);
    return () -> {
      runs.endStopped(thread);
      String _ = runs.forkAtRest(fork);
    };
  }
}
