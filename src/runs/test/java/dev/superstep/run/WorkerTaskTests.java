package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.TestGraphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.work.ClaimedTask;
import dev.superstep.checkpoint.work.WorkArrivals;
import dev.superstep.checkpoint.work.WorkArrivals.WorkType;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.engine.run.WorkerTask;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Node;
import dev.superstep.graph.RetryPolicy;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.work.WorkerService;
import dev.superstep.schedule.DatabaseContact;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Tasks that workers execute, on several replicas over one database.
class WorkerTaskTests {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT_LEASE = Duration.ofMillis(400);

  private static TwoReplicas cluster;
  private static ConfigurableApplicationContext one;
  private static ConfigurableApplicationContext two;

  @BeforeAll
  static void startTwo() throws Exception {
    cluster = new TwoReplicas("--superstep.workers.expiry=100ms");
    var both = cluster.startTwo();
    one = both.getFirst();
    two = both.getLast();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void restsWhileAWorkerHasTheTaskAndGoesOnWithItsOutcome() {
    var type = fresh("charge");
    var run = start(type, worker(type, times(Duration.ofMinutes(1))), Node.Policy.DEFAULT);
    var on = cluster.on(one);
    awaitWaiting(run);

    var task = claim(two, type, 10).getFirst();
    assertThat(task.origin().run()).isEqualTo(run);
    assertThat(task.payload()).isEqualTo(ObjectValue.of("input", ObjectValue.of("n", 1)));
    assertThat(task.attempt().number()).isEqualTo(1);
    assertThat(claim(one, type, 10)).as("a second claim").isEmpty();
    assertThat(owner(run)).as("a thread that waits").isEmpty();
    workers(two).end(task.id(), task.token(), returned("paid"));

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("paid");
  }

  /// A busy machine may take longer than the run stays in memory: once is enough.
  @Test
  void goesOnAtOnceWhenAWorkerHasWaitedForTheTask() throws Exception {
    var type = fresh("quick");
    add(type, worker(type, times(Duration.ofMinutes(1))), Node.Policy.DEFAULT);
    await().atMost(LONG).until(() -> rests(awaited(type, false)) == 0);
    assertThat(rests(awaited(type, true))).as("a slow one").isPositive();
  }

  /// Runs it with a worker that has waited for its task.
  private static String awaited(String type, boolean slow) throws Exception {
    var on = cluster.on(one);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var claim = threads.submit(() -> claimOne(one, type));
      awaitClaim(type);
      var run = on.start(type);
      var task = claim.get();
      if (slow) {
        awaitWaiting(run);
      }
      workers(one).end(task.id(), task.token(), returned("done"));
      on.await(run, RunStatus.SUCCEEDED);
      assertThat(on.log(run)).containsExactly("done");
      return run;
    }
  }

  private static void awaitClaim(String type) {
    var arrivals = one.getBean(WorkArrivals.class);
    await().atMost(LONG).until(() -> arrivals.isAwaited(new WorkType("default", type)));
  }

  private static int rests(String run) {
    return jdbc()
        .sql(
            "select count(*) from run_event where run = ? and type in ('run.waiting',"
                + " 'run.resumed')")
        .param(run)
        .query(Integer.class)
        .single();
  }

  @Test
  void refusesWhoeverIsTooLateAndTakesTheOutcomeOfTheNextOne() {
    var type = fresh("slow");
    var run = start(type, worker(type, times(SHORT_LEASE)), Node.Policy.DEFAULT);
    var zombie = claimOne(one, type);
    var next = claimOne(two, type);

    assertThat(next.id()).isEqualTo(zombie.id());
    assertThat(next.attempt().number()).isEqualTo(zombie.attempt().number());
    assertThat(next.attempt().idempotencyKey()).isEqualTo(zombie.attempt().idempotencyKey());
    assertThat(List.of(zombie, next))
        .extracting(it -> it.attempt().repeated())
        .containsExactly(false, true);
    assertThat(refused(() -> workers(one).end(zombie.id(), zombie.token(), returned("zombie"))))
        .isEqualTo(ErrorCode.TASK_LEASE_LOST);
    assertThat(refused(() -> workers(one).heartbeat(zombie.id(), zombie.token(), Optional.empty())))
        .isEqualTo(ErrorCode.TASK_LEASE_LOST);
    workers(two).heartbeat(next.id(), next.token(), Optional.of(Value.of("half")));
    workers(one).end(next.id(), next.token(), returned("next"));
    workers(two).end(next.id(), next.token(), returned("next"));
    assertThat(refused(() -> workers(two).end(next.id(), next.token(), returned("other"))))
        .isEqualTo(ErrorCode.TASK_LEASE_LOST);

    var on = cluster.on(two);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("next");
  }

  /// Also while nobody else has the task yet.
  @Test
  void refusesAnOutcomeBehindTheEndOfTheLease() {
    var type = fresh("late");
    var run = start(type, worker(type, times(Duration.ofMinutes(1))), Node.Policy.DEFAULT);
    var task = claimOne(one, type);
    jdbc()
        .sql("update task set lease_until = clock_timestamp(), lost = 9 where id = ?")
        .param(task.id())
        .update();

    assertThat(refused(() -> workers(one).end(task.id(), task.token(), returned("late"))))
        .isEqualTo(ErrorCode.TASK_LEASE_LOST);
    cluster.on(one).await(run, RunStatus.FAILED);
  }

  @Test
  void survivesTheReplicaThatHasStartedTheRun() {
    var type = fresh("survivor");
    add(type, worker(type, times(Duration.ofMinutes(1))), Node.Policy.DEFAULT);
    var victim = cluster.start();
    await().atMost(LONG).until(() -> TwoReplicas.hasJoined(victim));
    var run = cluster.on(victim).start(type);
    var task = claimOne(victim, type);
    TwoReplicas.cutOff(victim);
    workers(one).end(task.id(), task.token(), returned("paid"));

    var on = cluster.on(two);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("paid");
  }

  @Test
  void tellsAWorkerOfACancelledRunWithItsNextHeartbeat() {
    var type = fresh("cancelled");
    var run = start(type, worker(type, times(Duration.ofMinutes(1))), Node.Policy.DEFAULT);
    var task = claimOne(one, type);
    assertThat(workers(two).heartbeat(task.id(), task.token(), Optional.empty()).wanted()).isTrue();
    cluster.on(two).runs().cancel(run);

    assertThat(workers(two).heartbeat(task.id(), task.token(), Optional.empty()).wanted())
        .isFalse();
    assertThat(refused(() -> workers(one).end(task.id(), task.token(), returned("paid"))))
        .isEqualTo(ErrorCode.TASK_LEASE_LOST);
    cluster.on(one).await(run, RunStatus.CANCELLED);
  }

  /// However often: neither as a lost worker nor as an attempt.
  @Test
  void handsOutAtOnceWhatAWorkerGivesBack() {
    var type = fresh("back");
    var run = start(type, worker(type, times(Duration.ofMinutes(1))), Node.Policy.DEFAULT);
    var first = claimOne(one, type);
    for (int i = 0; i < 30; i++) {
      var task = i == 0 ? first : claimOne(one, type);
      workers(two).heartbeat(task.id(), task.token(), Optional.empty());
      workers(two).release(task.id(), task.token());
    }

    assertThat(refused(() -> workers(one).release(first.id(), first.token())))
        .isEqualTo(ErrorCode.TASK_LEASE_LOST);
    assertThat(refused(() -> workers(one).end(first.id(), first.token(), returned("late"))))
        .isEqualTo(ErrorCode.TASK_LEASE_LOST);
    var last = claimOne(two, type);
    assertThat(last.attempt()).isEqualTo(first.attempt());
    jdbc()
        .sql("update task set lease_until = clock_timestamp() where id = ?")
        .param(last.id())
        .update();
    var next = claimOne(one, type);
    workers(one).end(next.id(), next.token(), returned("next"));
    cluster.on(one).await(run, RunStatus.SUCCEEDED);
    assertThat(cluster.on(one).log(run)).containsExactly("next");
  }

  /// While the database was away nobody could be heard of.
  @Test
  void takesNoWorkerForLostRightAfterAnOutage() {
    var type = fresh("outage");
    var run = start(type, worker(type, times(Duration.ofMinutes(1))), Node.Policy.DEFAULT);
    var task = claimOne(one, type);
    List.of(one, two).forEach(it -> it.getBean(DatabaseContact.class).startAnew());
    jdbc()
        .sql("update task set lease_until = clock_timestamp() where id = ?")
        .param(task.id())
        .update();

    await().during(Duration.ofMillis(500)).until(() -> state(run).equals("claimed"));
    await().atMost(LONG).until(() -> state(run).equals("queued"));
    cluster.on(one).runs().cancel(run);
  }

  @Test
  void claimsNoTaskOfACancelledRun() {
    var type = fresh("unwanted");
    var cancelled = start(type, worker(type, times(Duration.ofMinutes(1))), Node.Policy.DEFAULT);
    awaitWaiting(cancelled);
    cluster.on(one).runs().cancel(cancelled);
    var run = cluster.on(one).start(type);
    awaitWaiting(run);

    assertThat(claim(one, type, 10)).extracting(it -> it.origin().run()).containsExactly(run);
    assertThat(state(cancelled)).isEqualTo("withdrawn");
  }

  @Test
  void queuesTheTaskOfAFailedRunAgainWhenThatIsResumed() {
    var type = fresh("resumed");
    add(type, worker(type, times(Duration.ofMinutes(1))), Node.Policy.DEFAULT);
    var options =
        new StartRun.Options(timeout(Duration.ofSeconds(1)), Breakpoints.NONE, 0, Optional.empty());
    var run = cluster.on(one).runs().start(with(request(type), options)).run();
    cluster.on(one).await(run, RunStatus.FAILED);
    assertThat(claim(one, type, 1)).isEmpty();
    assertThat(state(run)).isEqualTo("resting");
    var longer = timeout(Duration.ofMinutes(5));
    cluster
        .on(two)
        .runs()
        .resume(new ResumeRun(run, List.of(), List.of(), Optional.empty(), longer));

    var task = claimOne(one, type);
    workers(one).end(task.id(), task.token(), returned("paid"));
    var on = cluster.on(two);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("paid");
  }

  @Test
  void triesAgainUnderTheSameKeyWhenAWorkerFails() {
    var type = fresh("retried");
    var run = start(type, worker(type, times(Duration.ofMinutes(1))), retrying(2));
    var first = claimOne(one, type);
    workers(one)
        .end(
            first.id(),
            first.token(),
            new WorkerEnd.Failed(TaskError.retryable("no_funds", "try later")));
    var second = claimOne(two, type);

    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.attempt().idempotencyKey()).isEqualTo(first.attempt().idempotencyKey());
    assertThat(second.attempt().number()).isEqualTo(2);
    workers(two).end(second.id(), second.token(), returned("paid"));
    cluster.on(one).await(run, RunStatus.SUCCEEDED);
  }

  @Test
  void failsWithTheKindOfTheTimeOut() {
    var type = fresh("nobody");
    var run =
        start(
            type,
            worker(
                type,
                new WorkerTask.Timeouts(
                    Optional.of(SHORT_LEASE), Optional.empty(), Duration.ofMinutes(1))),
            Node.Policy.DEFAULT);
    assertThat(failure(run)).isEqualTo(Value.of("schedule_to_start"));

    var slow = fresh("too-slow");
    var late =
        start(
            slow,
            worker(
                slow,
                new WorkerTask.Timeouts(
                    Optional.empty(), Optional.of(SHORT_LEASE), Duration.ofMinutes(1))),
            Node.Policy.DEFAULT);
    claimOne(one, slow);
    assertThat(failure(late)).isEqualTo(Value.of("start_to_end"));
  }

  /// The fourth worker that is lost with a task ends the attempt.
  @Test
  void givesUpATaskThatLosesItsWorkers() {
    var type = fresh("poison");
    var run = start(type, worker(type, times(Duration.ofMillis(100))), Node.Policy.DEFAULT);
    for (int i = 0; i < 4; i++) {
      var task = claimOne(i % 2 == 0 ? one : two, type);
      workers(one).heartbeat(task.id(), task.token(), Optional.empty());
    }
    assertThat(failure(run)).isEqualTo(Value.of("heartbeat"));
  }

  @Test
  void takesTurnsBetweenGraphs() {
    var type = fresh("shared");
    var busy = fresh("busy");
    var quiet = fresh("quiet");
    var times = times(Duration.ofMinutes(1));
    cluster.graphs().add(dispatching(busy, type, 20, times));
    cluster.graphs().add(dispatching(quiet, type, 1, times));
    awaitWaiting(cluster.on(one).start(busy));
    awaitWaiting(cluster.on(one).start(quiet));

    var claimed = new ArrayList<>(claim(one, type, 1));
    claimed.addAll(claim(two, type, 1));
    assertThat(claimed).extracting(it -> it.origin().graph()).containsExactly(busy, quiet);
    assertThat(claim(two, type, 100)).hasSize(19);
  }

  /// It need not wait for the ends of the others.
  @Test
  void hearsOfAQuestionAtOnce() {
    var type = fresh("asking");
    var heard = new AtomicInteger();
    var worker = worker(type, times(Duration.ofMinutes(1)));
    cluster
        .graphs()
        .add(
            graph(type)
                .node("plan", _ -> new Outcome.Done(dispatches(3)))
                .node(
                    "work",
                    Node.Policy.DEFAULT,
                    call -> {
                      call.workerEnd().ifPresent(_ -> heard.incrementAndGet());
                      return worker.run(call);
                    })
                .edge("__start__", "plan"));
    var run = cluster.on(one).start(type);
    awaitWaiting(run);
    var tasks = claim(one, type, 3);
    assertThat(tasks).hasSize(3);
    workers(one)
        .end(
            tasks.getFirst().id(),
            tasks.getFirst().token(),
            new WorkerEnd.Returned(ObjectValue.of("interrupt", ObjectValue.of("value", "sure?"))));

    await().atMost(LONG).until(() -> heard.get() == 1);
  }

  /// I8, I14: each outcome counts once, whoever dies with its task. Seeded.
  @Test
  void countsEachOutcomeOnceWhateverWorkersDo() throws Exception {
    var type = fresh("counted");
    int tasks = 200;
    cluster.graphs().add(dispatching(type, type, tasks, times(SHORT_LEASE)));
    var run = cluster.on(one).start(type);
    var working = new ArrayList<Future<?>>();
    var accepted = Collections.synchronizedList(new ArrayList<String>());
    try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 6; i++) {
        var random = new Random(17 + i);
        var replica = i % 2 == 0 ? one : two;
        working.add(workers.submit(() -> work(replica, type, random, run, accepted)));
      }
    }
    for (var worker : working) {
      worker.get();
    }
    var on = cluster.on(two);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(accepted).hasSize(tasks).doesNotHaveDuplicates();
    assertThat(on.queries().state(run, Optional.empty()).state().get("sum"))
        .isEqualTo(Value.of(tasks));
    assertThat(on.log(run)).hasSize(tasks).doesNotHaveDuplicates();
  }

  /// One in ten tasks is dropped, as by a kill of its worker.
  private static void work(
      ConfigurableApplicationContext replica,
      String type,
      Random random,
      String run,
      List<String> accepted) {
    while (!isOver(cluster.on(replica).status(run))) {
      for (var task :
          workers(replica).claim(Set.of(type), Optional.of("w"), 7, Duration.ofMillis(200))) {
        if (random.nextInt(10) > 0) {
          try {
            workers(replica).end(task.id(), task.token(), returned(task.id()));
            accepted.add(task.id());
          } catch (ServiceException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.TASK_LEASE_LOST);
          }
        }
      }
    }
  }

  private static boolean isOver(RunStatus status) {
    return status == RunStatus.SUCCEEDED || status == RunStatus.FAILED;
  }

  private static TestGraphs.Builder dispatching(
      String name, String type, int width, WorkerTask.Timeouts times) {
    return graph(name)
        .node("plan", _ -> new Outcome.Done(dispatches(width)))
        .node("work", retrying(50), worker(type, times))
        .edge("__start__", "plan");
  }

  private static NodeResult dispatches(int width) {
    var dispatches =
        IntStream.range(0, width)
            .mapToObj(i ->
                new DispatchRequest(
                    "work", ObjectValue.of("item", i), "d" + i, ObjectValue.empty()))
            .toList();
    return new NodeResult(Change.NONE, null, dispatches, ObjectValue.empty(), null, null);
  }

  private static NodeRunner worker(String type, WorkerTask.Timeouts times) {
    return call ->
        call.workerEnd()
            .map(WorkerTaskTests::ended)
            .orElseGet(() -> new Outcome.Worker(task(type, call, times)));
  }

  private static WorkerTask task(String type, NodeCall call, WorkerTask.Timeouts times) {
    return new WorkerTask(
        type,
        ObjectValue.of("input", ObjectValue.of("n", 1)),
        call.idempotencyKey(),
        call.attempt(),
        times);
  }

  private static Outcome ended(WorkerEnd end) {
    return switch (end) {
      case WorkerEnd.Returned(var value) ->
          new Outcome.Done(
              NodeResult.of(
                  new Change(
                      List.of(),
                      List.of(),
                      ObjectValue.empty(),
                      ObjectValue.of("log", value).plus("sum", 1))));
      case WorkerEnd.Failed(var error) -> new Outcome.Failed(error);
      case WorkerEnd.StepQuestion _ -> throw new IllegalStateException("no worker asks");
    };
  }

  private static WorkerTask.Timeouts times(Duration heartbeat) {
    return new WorkerTask.Timeouts(Optional.empty(), Optional.empty(), heartbeat);
  }

  private static void add(String name, NodeRunner worker, Node.Policy policy) {
    cluster.graphs().add(graph(name).node("a", policy, worker).edge("__start__", "a"));
  }

  private static String start(String name, NodeRunner worker, Node.Policy policy) {
    add(name, worker, policy);
    return cluster.on(one).start(name);
  }

  private static Limits timeout(Duration timeout) {
    return new Limits(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(timeout));
  }

  private static WorkerService workers(ConfigurableApplicationContext replica) {
    return replica.getBean(WorkerService.class);
  }

  private static List<ClaimedTask> claim(
      ConfigurableApplicationContext replica, String type, int max) {
    return workers(replica).claim(Set.of(type), Optional.of("test"), max, Duration.ZERO);
  }

  private static ClaimedTask claimOne(ConfigurableApplicationContext replica, String type) {
    var claimed = workers(replica).claim(Set.of(type), Optional.of("test"), 1, LONG);
    assertThat(claimed).hasSize(1);
    return claimed.getFirst();
  }

  private static WorkerEnd returned(String text) {
    return new WorkerEnd.Returned(Value.of(text));
  }

  private static ErrorCode refused(Runnable call) {
    return RunActions.refused(call).code();
  }

  private static void awaitWaiting(String run) {
    await().atMost(LONG).until(() -> cluster.on(one).status(run) == RunStatus.WAITING);
  }

  private static JdbcClient jdbc() {
    return cluster.jdbc();
  }

  private static String state(String run) {
    return jdbc()
        .sql("select state from task where run = ?")
        .param(run)
        .query(String.class)
        .single();
  }

  private static Optional<String> owner(String run) {
    return jdbc()
        .sql("select owner from run where id = ?")
        .param(run)
        .query((row, _) -> Optional.ofNullable(row.getString(1)))
        .single();
  }

  private static Value failure(String run) {
    var error =
        cluster.on(two).await(run, RunStatus.FAILED).summary().standing().error().orElseThrow();
    assertThat(error.error().code()).isEqualTo("node_timeout");
    return error.error().details().getOr("kind", Value.NULL);
  }

  private static Node.Policy retrying(int attempts) {
    var retry =
        new RetryPolicy(
            attempts, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0, List.of(), List.of());
    var standard = Node.Policy.DEFAULT;
    return new Node.Policy(
        retry, Optional.empty(), standard.onError(), standard.maxConcurrency(), false);
  }
}
