package dev.superstep.run;

import dev.superstep.checkpoint.Checkpoints;
import dev.superstep.context.PromptContext;
import dev.superstep.definition.Compiled;
import dev.superstep.engine.Checkpoint;
import dev.superstep.engine.RunStart.Origin;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.GraphState;
import dev.superstep.state.ObjectValue;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Conversations: one active run at a time, each starting from what the last one has left.
@Component
class Threads {
  private final ThreadRows threads;
  private final RunRows runs;
  private final Lookups lookups;
  private final Checkpoints checkpoints;

  Threads(ThreadRows threads, RunRows runs, Lookups lookups, Checkpoints checkpoints) {
    this.threads = threads;
    this.runs = runs;
    this.lookups = lookups;
    this.checkpoints = checkpoints;
  }

  /// A run's place in its thread.
  ///
  /// @param last what the thread's last succeeded run ended with
  record Seat(long ordinal, Optional<Checkpoint> last) {
    static final Seat ALONE = new Seat(0, Optional.empty());

    /// What the run begins with, before its input (P2).
    Origin origin(Compiled graph, Optional<ObjectValue> asked) {
      var state = last.map(Checkpoint::state).orElseGet(GraphState::empty);
      return new Origin(state, context(graph, asked));
    }

    private Optional<PromptContext> context(Compiled graph, Optional<ObjectValue> asked) {
      if (!graph.program().graph().settings().keepsContext()) {
        asked.ifPresent(_ -> refuse());
        return Optional.empty();
      }
      var base = last.flatMap(Checkpoint::context).orElse(graph.context());
      if (asked.isEmpty()) {
        return Optional.of(base);
      }
      var complaints = new Complaints();
      var context = ContextRequest.over(base, asked.get(), complaints);
      complaints.throwIfAny();
      return Optional.of(context);
    }

    private static void refuse() {
      throw ServiceException.at(
          "/context",
          ErrorCode.INVALID_VALUE,
          "this graph keeps no prompt context; give it a context key or leave this out");
    }
  }

  /// Takes the next place; the thread stays locked until the transaction ends.
  Seat seat(Optional<String> thread) {
    if (thread.isEmpty()) {
      return Seat.ALONE;
    }
    threads.ensure(thread.get());
    var locked = threads.lock(thread.get());
    checkFree(thread.get());
    return new Seat(locked.takeOrdinal(), lastSucceeded(thread.get()));
  }

  /// @throws ServiceException `thread_busy` if some run of the thread is active
  void checkFree(String thread) {
    runs.findActiveOn(thread)
        .ifPresent(active -> {
          throw new ServiceException(
              ErrorCode.THREAD_BUSY,
              "run '%s' of thread '%s' is active; wait for it or cancel it"
                  .formatted(active, thread));
        });
  }

  /// Locks the thread, so that no other run of it can become active meanwhile.
  void lockFree(String thread) {
    threads.lock(thread);
    checkFree(thread);
  }

  /// What the next run of the thread starts from.
  Optional<Checkpoint> lastSucceeded(String thread) {
    return runs.findLastSucceededOn(thread).map(this::lastOf);
  }

  private Checkpoint lastOf(RunEntity run) {
    var graph = lookups.graph(run).program().graph();
    return checkpoints
        .rebuild(lookups.header(run), run.checkpoint(), graph)
        .orElseThrow(() -> new IllegalStateException("run '%s' has no end".formatted(run.id())));
  }
}
