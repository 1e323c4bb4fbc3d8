package dev.superstep.run.start;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static java.lang.Thread.State.WAITING;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.RunActions;
import dev.superstep.run.RunTest;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.check.LimitsInForce;
import dev.superstep.run.check.TestChecks;
import dev.superstep.run.drive.LocalRunStarter;
import dev.superstep.run.store.RunFinder;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Replica;
import dev.superstep.schedule.ScheduledRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Future.State;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionOperations;

/// Starts for which the replica has no room.
@RunTest
class QueuedStartsTests {
  /// More than there are connections.
  private static final int STARTS = 60;

  private static final int READERS = 4;

  @Autowired private RunActions on;
  @Autowired private Replica replica;
  @Autowired private TransactionOperations transaction;
  @Autowired private InsertRunsStatement statement;
  @Autowired private WriteBatcher.BatchBounds bounds;
  @Autowired private LocalRunStarter local;
  @Autowired private RunEnqueuer enqueuer;
  @Autowired private GraphRegistry graphs;
  @Autowired private LimitsInForce inForce;
  @Autowired private EarlyStarts earlyStarts;
  @Autowired private RunFinder runFinder;
  @Autowired private ThreadQueue queue;
  @Autowired private RunIds ids;
  @Autowired private EngineLimits limits;
  @Autowired private DatabaseClock clock;
  @Autowired private CallerQuotas quotas;
  @Autowired private RunInserter inserter;

  @Test
  void leaveOthersTheirConnectionsHoweverManyThereAre() {
    var name = fresh("queued");
    on.graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));
    var known = on.start(name);
    on.await(known, RunStatus.SUCCEEDED);
    replica.pauseClaims();
    var starts = new ArrayList<Future<String>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      transaction.executeWithoutResult(_ -> {
        new ScheduledRows(on.jdbc()).lockWakeUps();
        for (int i = 0; i < STARTS; i++) {
          starts.add(threads.submit(() -> on.runs().start(request(name)).run()));
        }
        await().until(this::isWaiting);
        for (int i = 0; i < READERS; i++) {
          assertReads(threads, known);
        }
      });
    } finally {
      replica.resumeClaims();
    }

    assertThat(starts.stream().map(Future::resultNow).distinct()).hasSize(STARTS);
    starts.forEach(it -> on.await(it.resultNow(), RunStatus.SUCCEEDED));
  }

  private void assertReads(ExecutorService threads, String run) {
    var read = threads.submit(() -> on.status(run));
    assertThatCode(() -> read.get(30, SECONDS)).doesNotThrowAnyException();
  }

  /// Whether starts wait for the lock.
  private boolean isWaiting() {
    return on.jdbc()
        .sql("select exists (select from pg_locks where not granted)")
        .query(Boolean.class)
        .single();
  }

  /// One that the database refuses takes none of those with it that share its transaction.
  @Test
  void failByThemselves() {
    var name = fresh("queued");
    var refused = fresh("refused");
    for (var it : List.of(name, refused)) {
      on.graphs().add(graph(it).node("a", says("a")).edge("__start__", "a"));
    }
    on.jdbc()
        .sql(
            """
            create or replace function refusal() returns trigger language plpgsql as $$
            begin
              raise exception 'not this one';
            end $$;
            create trigger refusal before insert on run for each row
              when (new.graph = '%s') execute function refusal();
            """
                .formatted(refused))
        .update();
    replica.pauseClaims();
    var starts = new ArrayList<Future<String>>();
    var failing = new ArrayList<Future<String>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      transaction.executeWithoutResult(_ -> {
        new ScheduledRows(on.jdbc()).lockWakeUps();
        for (int i = 0; i < STARTS; i++) {
          starts.add(threads.submit(() -> on.runs().start(request(name)).run()));
          failing.add(threads.submit(() -> on.runs().start(request(refused)).run()));
        }
        await().until(this::isWaiting);
      });
    } finally {
      replica.resumeClaims();
      on.jdbc().sql("drop trigger refusal on run").update();
    }

    assertThat(failing).allMatch(it -> it.state() == State.FAILED);
    starts.forEach(it -> on.await(it.resultNow(), RunStatus.SUCCEEDED));
  }

  /// Where the thread dies that writes for others, they are told that theirs may have failed.
  @Test
  void areNotSaidToBeStoredIfTheyAreNot() {
    var name = fresh("queued");
    on.graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));
    var gate = new CountDownLatch(1);
    var starter = starter(new DyingOnce(transaction, gate, bounds.writers() + 1));
    var started = new ConcurrentLinkedQueue<String>();
    replica.pauseClaims();
    try {
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < bounds.writers() + 5; i++) {
        threads.add(
            Thread.ofVirtual()
                .unstarted(() -> {
                  started.add(starter.start(on.runs().check(request(name)), _ -> {}).run());
                }));
        threads.getLast().setUncaughtExceptionHandler((_, _) -> {});
        threads.getLast().start();
        if (i < bounds.writers()) {
          await().until(() -> waitsAt(threads.getLast(), DyingOnce.class)); // takes no other along
        }
      }
      await().until(() -> threads.stream().allMatch(it -> waitsAt(it, WriteBatcher.class)));
      gate.countDown();
      await().until(() -> threads.stream().noneMatch(Thread::isAlive));
    } finally {
      replica.resumeClaims();
    }

    assertThat(started).hasSize(bounds.writers());
    started.forEach(it -> on.await(it, RunStatus.SUCCEEDED));
  }

  /// A thread that reads from the database waits, too.
  private static boolean waitsAt(Thread thread, Class<?> of) {
    return thread.getState() == WAITING
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(it -> it.getClassName().equals(of.getName()));
  }

  private Starter starter(TransactionOperations transactions) {
    var inserter =
        new RunInserter(
            statement, bounds, local, enqueuer, graphs, inForce, transactions, earlyStarts);
    return starter(inserter, quotas);
  }

  private Starter starter(RunInserter inserter, CallerQuotas of) {
    return new Starter(runFinder, queue, inserter, enqueuer, ids, limits, clock, of);
  }

  /// Nothing that is remembered of its graph would make room: it is not tried a second time.
  @Test
  void areRefusedAtOnceIfTheCallerIsAtItsBound() {
    var name = fresh("bounded");
    on.graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));
    on.await(on.start(name), RunStatus.SUCCEEDED);
    var checked = on.runs().checkRemembering(request(name));
    var bounded = TestChecks.quotas(1);
    while (bounded.admitIfRoom(bounded.share(name)).isPresent()) {
      // The only caller there is has ten times as much.
    }
    var starter = starter(inserter, bounded);

    assertThat(refused(() -> starter.insertRemembered(checked, _ -> {})).code())
        .isEqualTo(ErrorCode.RUN_QUOTA_EXCEEDED);
  }

  /// Transactions that wait for a gate, one of which ends its thread.
  private static final class DyingOnce implements TransactionOperations {
    private final TransactionOperations transaction;
    private final CountDownLatch gate;
    private final int dies;
    private final AtomicInteger calls = new AtomicInteger();

    DyingOnce(TransactionOperations transaction, CountDownLatch gate, int dies) {
      this.transaction = transaction;
      this.gate = gate;
      this.dies = dies;
    }

    @Override
    public <T extends @Nullable Object> T execute(TransactionCallback<T> action) {
      int call = calls.incrementAndGet();
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return transaction.execute(status -> {
        var result = action.doInTransaction(status);
        if (call == dies) {
          throw new OutOfMemoryError("in the test");
        }
        return result;
      });
    }
  }
}
