package dev.superstep.langgraph.thread;

import dev.superstep.compute.RequestWork;
import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.Containment;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.RequestedMembers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunSummary;
import dev.superstep.run.ThreadFilter;
import dev.superstep.run.ThreadOrder;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.ThreadStatus;
import dev.superstep.run.ThreadSummary;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/// Reads threads as clients see them, with the values of their newest checkpoint. Each answer is of
/// one moment.
@Service
@OnLangGraph
@Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
class ShownThreads {
  private static final Logger LOG = LoggerFactory.getLogger(ShownThreads.class);

  /// Most threads whose values one search looks into.
  static final int LOOKED_MAX = 1_000;

  static final int COUNT_MAX = 100_000;
  private static final int BATCH = 100;
  private final ThreadQueries threads;
  private final ThreadStates states;
  private final TaskStates tasks;

  ShownThreads(ThreadQueries threads, ThreadStates states, TaskStates tasks) {
    this.threads = threads;
    this.states = states;
    this.tasks = tasks;
  }

  /// @param values contained in those of the thread; empty: any
  record Search(ThreadFilter filter, ObjectValue values, ThreadOrder order) {}

  /// @param total of all threads that meet the conditions
  record ThreadPage(List<ObjectValue> threads, long total) {}

  ObjectValue thread(String id) {
    return shown(threads.summary(id), Set.of());
  }

  /// @param select members of threads that are wanted; empty: all
  /// @throws ServiceException `limit_exceeded` if more would have to be looked into, or if the
  ///   answer would be larger, than one call may cost
  ThreadPage search(Search search, int offset, int limit, Set<String> select) {
    var size = new AnswerSize();
    if (!search.values().isEmpty()) {
      var matching = matching(search);
      var page =
          matching.stream()
              .skip(offset)
              .limit(limit)
              .map(it -> size.add(shown(it, select)))
              .toList();
      return new ThreadPage(page, matching.size());
    }
    var page = threads.list(search.filter(), search.order(), offset, limit);
    long total =
        page.size() < limit && (offset == 0 || !page.isEmpty())
            ? offset + page.size()
            : threads.count(search.filter(), COUNT_MAX);
    return new ThreadPage(page.stream().map(it -> size.add(shown(it, select))).toList(), total);
  }

  long count(Search search) {
    return search.values().isEmpty()
        ? threads.count(search.filter(), COUNT_MAX)
        : matching(search).size();
  }

  /// States are not stored as JSON that the database could search: they are read one by one.
  private List<ThreadSummary> matching(Search search) {
    var matching = new ArrayList<ThreadSummary>();
    var work = RequestWork.current();
    for (int offset = 0; ; offset += BATCH) {
      var page = threads.list(search.filter(), search.order(), offset, BATCH);
      for (var it : page) {
        if (Containment.contains(values(it), search.values(), work)) {
          matching.add(it);
        }
      }
      if (page.size() < BATCH) {
        return matching;
      }
      if (offset + BATCH >= LOOKED_MAX) {
        throw tooMany();
      }
    }
  }

  private static ServiceException tooMany() {
    return ServiceException.at(
        "/values",
        ErrorCode.LIMIT_EXCEEDED,
        "more than %d threads would have to be looked into; narrow the search by metadata or status"
            .formatted(LOOKED_MAX));
  }

  private ObjectValue shown(ThreadSummary thread, Set<String> select) {
    var all = select.isEmpty();
    var shown =
        ObjectValue.builder()
            .put("thread_id", Tenant.shown(thread.id()))
            .put("created_at", thread.createdAt().toString())
            .put("updated_at", thread.updatedAt().toString())
            .put("state_updated_at", thread.updatedAt().toString())
            .put("metadata", metadata(thread))
            .put("config", ObjectValue.empty())
            .put("status", thread.status().apiName());
    if (all || select.contains("values")) {
      shown.put("values", values(thread));
    }
    if (all || select.contains("interrupts")) {
      shown.put("interrupts", interrupts(thread));
    }
    if (thread.status() == ThreadStatus.ERROR) {
      thread
          .lastRun()
          .flatMap(it -> it.standing().error())
          .ifPresent(it ->
              shown.put(
                  "error",
                  ObjectValue.of("error", it.error().code())
                      .plus("message", Tenant.current().shownIn(it.error().message()))));
    }
    return RequestedMembers.of(shown.build(), select);
  }

  /// What ran last, for threads whose runs have not said it.
  private static ObjectValue metadata(ThreadSummary thread) {
    var metadata = thread.metadata();
    var graph = thread.lastRun().map(RunSummary::origin).map(RunSummary.Origin::graph);
    if (graph.isPresent() && !metadata.has(ThreadLabels.GRAPH)) {
      metadata =
          metadata
              .plus(ThreadLabels.GRAPH, Tenant.shown(graph.get()))
              .plus(
                  ThreadLabels.ASSISTANT,
                  metadata.getOr(
                      ThreadLabels.ASSISTANT,
                      Value.of(Tenant.shown(AssistantIds.ofGraph(graph.get())))));
    }
    return metadata;
  }

  /// Null if nothing is committed, or if this server cannot read it: one thread must not spoil a
  /// list.
  private Value values(ThreadSummary thread) {
    if (thread.lastRun().isEmpty()) {
      return Value.NULL;
    }
    try {
      var newest = threads.history(thread.id(), Optional.empty(), 1);
      return newest.isEmpty() ? Value.NULL : states.values(newest.getFirst().position().at());
    } catch (ServiceException unreadable) {
      if (unreadable.isOverCost()) {
        throw unreadable; // it is the search that cannot be answered
      }
      LOG.debug("thread '{}' is shown without values", thread.id(), unreadable);
      return Value.NULL;
    }
  }

  private ObjectValue interrupts(ThreadSummary thread) {
    return switch (thread.status()) {
      case IDLE, ERROR -> ObjectValue.empty();
      case BUSY, INTERRUPTED -> open(thread.id());
    };
  }

  private ObjectValue open(String thread) {
    var newest = threads.history(thread, Optional.empty(), 1);
    if (newest.isEmpty()) {
      return ObjectValue.empty();
    }
    var open = ObjectValue.builder();
    tasks
        .questions(newest.getFirst().position().at().run())
        .forEach((task, questions) -> open.put(task, StateSnapshot.interruptsJson(questions)));
    return open.build();
  }
}
