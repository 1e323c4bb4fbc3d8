package dev.superstep.pace;

import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.database.LoggedFailure;
import dev.superstep.database.Pools;
import dev.superstep.model.ModelPace;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.ReplicaPoll;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

/// Keeps the limits of models over all replicas, by rows in the database.
///
/// What a call takes of requests and tokens is taken as it begins, under the lock of its model's
/// row: the limits are exact, however many replicas there are and whichever dies. What a lost
/// process has taken counts for its minute; its places in the queue are passed over, and its places
/// in the concurrency are free when their leases end.
@Component
final class StoredModelPace implements ModelPace, ReplicaPoll {
  private static final Logger log = LoggerFactory.getLogger(StoredModelPace.class);

  /// How long the row of a call stays that asks no more.
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  private static final Duration TIDY = Duration.ofMinutes(1);

  private final Map<String, PaceLane> lanes = new ConcurrentHashMap<>();
  private final PaceRows rows;
  private final TransactionOperations transactions;
  private final Retries retries;
  private final PaceMetrics metrics;
  private final PaceLane.PaceTerms terms;
  private final Cooldowns cooldowns;
  private long tidyAt;

  @Autowired
  StoredModelPace(
      PaceRows rows,
      @Qualifier(Pools.ENGINE) PlatformTransactionManager transactions,
      Retries retries,
      PaceMetrics metrics,
      DatabaseClock clock,
      @Value("${superstep.lease:6s}") Duration lease) {
    this(rows, transactions, retries, metrics, new PaceLane.PaceTerms(clock, lease));
  }

  StoredModelPace(
      PaceRows rows,
      PlatformTransactionManager transactions,
      Retries retries,
      PaceMetrics metrics,
      PaceLane.PaceTerms terms) {
    this.rows = rows;
    this.transactions = new TransactionTemplate(transactions);
    this.retries = retries;
    this.metrics = metrics;
    this.terms = terms;
    this.cooldowns = new Cooldowns(rows, terms.clock());
  }

  private PaceLane lane(PacedCall call) {
    return lanes.computeIfAbsent(
        call.model(), model -> new PaceLane(model, call.limits(), rows, transactions, terms));
  }

  /// An acknowledgement that is lost takes from the allowance twice, which delays and does no harm.
  @Override
  public CallTurn ask(PacedCall call) throws InterruptedException {
    var lane = lane(call);
    try {
      return retries.run(
          () -> "a call of model '%s'".formatted(call.model()),
          () -> lane.ask(new PaceOrder.TurnRequest(call)));
    } catch (StoreUnavailableException e) {
      if (Thread.interrupted()) {
        throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
      }
      throw e;
    }
  }

  /// A process that stands still between the two would send a request that nobody expects.
  @Override
  public Grant sent(Grant grant) {
    long now = terms.now();
    if (now - grant.atMs() <= UsedAllowance.QUARTER) {
      return grant;
    }
    later(lane(grant.call()), new PaceOrder.CallSent(grant, now));
    return new Grant(grant.call(), now);
  }

  @Override
  public void used(Grant grant, long tokens) {
    var limits = grant.call().limits();
    if (limits.tokensPerMinute().isPresent()
        || limits.concurrency().isPresent()
        || lane(grant.call()).isFirst(grant)) {
      end(new PaceOrder.CallEnd(grant, 1, tokens, terms.now() - grant.atMs()));
    }
  }

  @Override
  public void unused(Grant grant) {
    end(new PaceOrder.CallEnd(grant, 0, 0, 0));
  }

  private void end(PaceOrder.CallEnd end) {
    later(lane(end.grant().call()), end);
  }

  @Override
  public void pause(PacedCall call, Duration time) {
    later(lane(call), new PaceOrder.QueuePause(terms.now() + time.toMillis()));
  }

  @Override
  public void leave(PacedCall call) {
    later(lane(call), new PaceOrder.TurnLeft(call.id()));
  }

  @Override
  public void cool(String model, Duration time) {
    cooldowns.cool(model, time);
  }

  @Override
  public Set<String> cooling(Collection<String> models) {
    return cooldowns.cooling(models);
  }

  /// The answer of a call does not wait for it, nor is it lost with it.
  private static void later(PaceLane lane, PaceOrder order) {
    lane.add(order);
    Thread.startVirtualThread(() -> {
      try {
        lane.drain();
      } catch (RuntimeException e) {
        log.warn(
            "What a call of model '{}' has not used counts for a minute: {}",
            lane.model(),
            new LoggedFailure(e));
      }
    });
  }

  @Override
  public Duration pause() {
    return terms.lease().dividedBy(3);
  }

  @Override
  public void poll(String replica) {
    lanes.values().forEach(PaceLane::prolong);
    long now = terms.now();
    if (!lanes.isEmpty()) {
      metrics.take(rows.seen(), lanes.values(), now);
    }
    if (!lanes.isEmpty() && now >= tidyAt) {
      tidyAt = now + TIDY.toMillis();
      rows.forgetUntil(now - FORGOTTEN.toMillis());
    }
  }
}
