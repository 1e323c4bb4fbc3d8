package dev.superstep.run.start;

import dev.superstep.checkpoint.inbox.RunMessages;
import dev.superstep.checkpoint.inbox.RunMessages.NewMessage;
import dev.superstep.checkpoint.inbox.StoredMessage;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.checkpoint.row.RunOrigin;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.StartRun;
import dev.superstep.run.check.Admitted;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunInputEntity;
import dev.superstep.run.store.Threads;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;

/// Has messages that their run has ended without begin the next run of its thread (E49): a run of
/// the graph and the version of that one, for who has sent the first of them. It waits for the
/// thread as any other. Metadata, limits, breakpoints and priority of that one it has if it is for
/// the same caller.
@Component
class MessageStarts {
  private final RunMessages messages;
  private final RunFinder runFinder;
  private final Threads threads;
  private final RunEnqueuer enqueuer;
  private final RunIds ids;
  private final CallerQuotas quotas;

  MessageStarts(
      RunMessages messages,
      RunFinder runFinder,
      Threads threads,
      RunEnqueuer enqueuer,
      RunIds ids,
      CallerQuotas quotas) {
    this.quotas = quotas;
    this.messages = messages;
    this.runFinder = runFinder;
    this.threads = threads;
    this.enqueuer = enqueuer;
    this.ids = ids;
  }

  /// Up to `limit` threads that have such messages.
  List<String> threads(int limit) {
    return messages.startingThreads(limit);
  }

  /// The caller holds the lock of the thread, and starts what waits for it. While the sender of the
  /// first may begin no run, the messages wait: the reconciler looks again.
  void enqueue(String thread) {
    if (first(thread).filter(this::isAdmitted).isPresent()) {
      begin(thread);
    }
  }

  /// Likewise.
  ///
  /// @throws ServiceException if the sender is this caller, who may begin no run
  void enqueueFor(String thread, String caller) {
    var first = first(thread).filter(it -> starter(it).equals(caller));
    if (first.isEmpty()) {
      enqueue(thread);
      return;
    }
    requireBudget(first.get());
    quotas.admit(Share.of(first.get().run(), caller));
    begin(thread);
  }

  private Optional<StoredMessage> first(String thread) {
    return messages.starting(thread, 1).stream().findFirst();
  }

  private boolean isAdmitted(StoredMessage first) {
    try {
      requireBudget(first);
    } catch (ServiceException e) {
      if (e.code() != ErrorCode.BUDGET_EXHAUSTED) {
        throw e;
      }
      return false;
    }
    var admitted = quotas.admitIfRoom(Share.of(first.run(), starter(first)));
    admitted.ifPresent(Admitted::close);
    return admitted.isPresent();
  }

  private void requireBudget(StoredMessage first) {
    var graph = runFinder.graph(runFinder.run(first.run()));
    if (graph.program().spends()) {
      quotas.requireBudget(graph.name(), starter(first));
    }
  }

  private static String starter(StoredMessage message) {
    return message.sender().orElse(Callers.EVERYBODY);
  }

  private void begin(String thread) {
    var starting = messages.starting(thread, Integer.MAX_VALUE);
    var first = starting.getFirst();
    var ended = runFinder.run(first.run());
    int together = together(ended, starting);
    var input = input(starting.subList(0, together));
    var next = enqueue(thread, ended, starter(first), input);
    for (int i = 0; i < starting.size(); i++) {
      var message = starting.get(i);
      if (i >= together) {
        messages.copy(next, copy(message));
      }
      messages.move(message, next);
    }
  }

  private static NewMessage copy(StoredMessage message) {
    // Several runs may have had messages of one id.
    return new NewMessage(
        UUID.randomUUID().toString(),
        "",
        message.channel(),
        message.value(),
        message.ifUntaken(),
        message.sender());
  }

  /// How many of the messages the input can say as one.
  private int together(RunEntity ended, List<StoredMessage> starting) {
    var first = starting.getFirst();
    var graph = runFinder.graph(ended);
    if (!MessageReader.isOfBlocks(
        graph.program().graph().channels().get(first.channel()).reducer())) {
      return 1;
    }
    int count = alike(starting);
    return graph.inputCheck().check(input(starting.subList(0, count))).isEmpty() ? count : 1;
  }

  private static int alike(List<StoredMessage> starting) {
    var first = starting.getFirst();
    int count = 1;
    while (count < starting.size()
        && starting.get(count).channel().equals(first.channel())
        && starting.get(count).value() instanceof ListValue) {
      count++;
    }
    return count;
  }

  private static ObjectValue input(List<StoredMessage> together) {
    var first = together.getFirst();
    if (!(first.value() instanceof ListValue)) {
      return ObjectValue.of(first.channel(), first.value());
    }
    var all = ListValue.builder();
    for (var message : together) {
      for (Value item : ListValue.orEmpty(message.value())) {
        all.add(item);
      }
    }
    return ObjectValue.of(first.channel(), all.build());
  }

  private String enqueue(String thread, RunEntity ended, String caller, ObjectValue input) {
    var origin = ended.origin();
    boolean isOfCaller = origin.caller().equals(caller);
    var next =
        new RunOrigin(
            origin.graph(),
            origin.version(),
            isOfCaller ? origin.priority() : 0,
            thread,
            threads.lock(thread).takeOrdinal(),
            null,
            null,
            caller);
    var requested = runFinder.input(ended.id());
    var header =
        RunFinder.header(
            ids.next(Tenant.of(origin.graph())),
            next,
            isOfCaller ? requested.metadata() : Map.of(),
            requested.params(),
            Optional.empty());
    var request = new RunInputEntity(header, Canonical.bytes(input), null);
    if (isOfCaller) {
      request.limits(requested.limits());
      request.breakpoints(requested.breakpoints());
    }
    enqueuer.enqueue(next, request, StartRun.Options.DEFAULT);
    return header.id();
  }
}
