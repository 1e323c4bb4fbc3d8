package dev.superstep.pace;

import dev.superstep.model.ModelLimits;
import dev.superstep.model.ModelPace.CallTurn;
import dev.superstep.model.ModelPace.Grant;
import dev.superstep.pace.UsedAllowance.Amount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.transaction.support.TransactionOperations;

/// The calls of one model by this process. Whoever comes first does what the others want as well,
/// in one transaction: however many calls want their turn, one connection is taken.
final class PaceLane {
  private static final int BATCH_MAX = 256;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final String model;
  private final ModelLimits limits;
  private final PaceRows rows;
  private final TransactionOperations transactions;
  private final PaceTerms terms;
  private final ConcurrentLinkedQueue<PaceOrder> orders = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> running = ConcurrentHashMap.newKeySet();
  private volatile long firstUntil = Long.MAX_VALUE;

  /// @param clock the database's
  /// @param lease for which a call holds one place of its model's concurrency
  record PaceTerms(InstantSource clock, Duration lease) {
    long now() {
      return clock.millis();
    }
  }

  PaceLane(
      String model,
      ModelLimits limits,
      PaceRows rows,
      TransactionOperations transactions,
      PaceTerms terms) {
    this.model = model;
    this.limits = limits;
    this.rows = rows;
    this.transactions = transactions;
    this.terms = terms;
  }

  String model() {
    return model;
  }

  ModelLimits limits() {
    return limits;
  }

  /// Calls that are made here under a lease.
  Set<String> running() {
    return Set.copyOf(running);
  }

  /// Whether the call began before any had ended here. A process that makes its first calls loads
  /// classes and opens connections, and nobody knows when they reach the provider: they count as if
  /// they did at their end.
  boolean isFirst(Grant grant) {
    return grant.atMs() <= firstUntil;
  }

  void add(PaceOrder order) {
    orders.add(order);
  }

  /// Is answered even if the thread is interrupted: a grant must not be lost.
  CallTurn ask(PaceOrder.TurnRequest ask) {
    orders.add(ask);
    lock.lock();
    try {
      while (!ask.isAnswered()) {
        work();
      }
    } finally {
      lock.unlock();
    }
    return ask.turn();
  }

  /// Does all that there is.
  void drain() {
    lock.lock();
    try {
      while (!orders.isEmpty()) {
        work();
      }
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    var batch = new ArrayList<PaceOrder>();
    for (var next = orders.poll(); next != null; next = orders.poll()) {
      batch.add(next);
      if (batch.size() >= BATCH_MAX) {
        break;
      }
    }
    try {
      answer(batch, transactions.execute(_ -> decide(batch)));
    } catch (RuntimeException e) {
      fail(batch, e);
    }
  }

  /// Of a call that is asked for twice, by an attempt that nobody waits for any more and by the one
  /// after it, the second goes.
  private static void answer(List<PaceOrder> batch, Map<String, CallTurn> turns) {
    asks(batch)
        .forEach((id, same) -> {
          same.forEach(it -> it.answer(new CallTurn.Later(AGAIN)));
          same.getLast().answer(turns.getOrDefault(id, new CallTurn.Later(AGAIN)));
        });
  }

  /// What a call has not used then counts for its minute, and its place until its lease ends.
  private void fail(List<PaceOrder> batch, RuntimeException e) {
    for (var order : batch) {
      switch (order) {
        case PaceOrder.TurnRequest ask -> ask.fail(e);
        case PaceOrder.CallEnd end -> running.remove(end.grant().call().id());
        case PaceOrder.QueuePause _, PaceOrder.CallSent _, PaceOrder.TurnLeft _ -> {}
      }
    }
  }

  private static Map<String, List<PaceOrder.TurnRequest>> asks(List<PaceOrder> batch) {
    var asks = new LinkedHashMap<String, List<PaceOrder.TurnRequest>>();
    for (var order : batch) {
      if (order instanceof PaceOrder.TurnRequest ask) {
        asks.computeIfAbsent(ask.call().id(), _ -> new ArrayList<>(1)).add(ask);
      }
    }
    return asks;
  }

  private Map<String, CallTurn> decide(List<PaceOrder> batch) {
    var state = rows.lock(model);
    long now = terms.now();
    state.used().forgetUntil(now);
    var ended = new ArrayList<String>();
    var left = new ArrayList<String>();
    for (var order : batch) {
      switch (order) {
        case PaceOrder.TurnRequest _ -> {}
        case PaceOrder.QueuePause(var until) -> state.pauseUntil(until);
        case PaceOrder.TurnLeft(var call) -> left.add(call);
        case PaceOrder.CallSent(var grant, var at) -> move(state, grant, at, now);
        case PaceOrder.CallEnd end -> {
          settle(state, end, now);
          ended.add(end.grant().call().id());
        }
      }
    }
    if (limits.concurrency().isPresent()) {
      rows.delete(model, ended);
      ended.forEach(running::remove);
    }
    rows.leave(model, left);
    var asks = asks(batch);
    var turns = asks.isEmpty() ? Map.<String, CallTurn>of() : decide(state, asks, now);
    rows.write(model, state);
    return turns;
  }

  private static void move(ModelState state, Grant grant, long at, long now) {
    long tokens = grant.call().tokens();
    state.used().add(grant.atMs(), new Amount(-1, -tokens), now);
    state.used().add(at, new Amount(1, tokens), now);
  }

  private void settle(ModelState state, PaceOrder.CallEnd end, long now) {
    var grant = end.grant();
    state.used().add(grant.atMs(), new Amount(-1, -grant.call().tokens()), now);
    long at = isFirst(grant) ? now : grant.atMs();
    state.used().add(at, new Amount(end.requests(), end.tokens()), now);
    firstUntil = Math.min(firstUntil, now);
    if (end.requests() > 0) {
      state.took(end.ms());
    }
  }

  private Map<String, CallTurn> decide(
      ModelState state, Map<String, List<PaceOrder.TurnRequest>> asks, long now) {
    var ids = asks.keySet();
    long running = limits.concurrency().isEmpty() ? 0 : rows.running(model, ids, now);
    var queue = new CallQueue(limits, state, rows.waiting(model, ids), running, now);
    var decided = queue.decide(asks.values().stream().map(it -> it.getFirst().call()).toList());
    rows.write(model, new PaceRows.StoredCalls(false, decided.queued()));
    var going =
        decided.turns().entrySet().stream()
            .filter(it -> it.getValue() instanceof CallTurn.Now)
            .map(Map.Entry::getKey)
            .toList();
    if (limits.concurrency().isEmpty()) {
      rows.delete(model, going);
    } else {
      hold(asks, going, now);
    }
    return decided.turns();
  }

  private void hold(Map<String, List<PaceOrder.TurnRequest>> asks, List<String> going, long now) {
    long until = now + terms.lease().toMillis();
    var held =
        going.stream()
            .map(asks::get)
            .map(it -> it.getFirst().call())
            .map(it -> new WaitingCall(it.id(), it.tenant(), 0, it.tokens(), until))
            .toList();
    rows.write(model, new PaceRows.StoredCalls(true, held));
    running.addAll(going);
  }

  /// Prolongs the leases of the calls that are made here.
  void prolong() {
    var here = running();
    if (!here.isEmpty()) {
      rows.prolong(model, here, terms.now() + terms.lease().toMillis());
    }
  }
}
