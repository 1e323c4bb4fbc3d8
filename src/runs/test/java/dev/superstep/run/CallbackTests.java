package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.TestGraphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.CallbackRequest;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.graph.Node;
import dev.superstep.graph.RetryPolicy;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.work.CallbackService;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/// Answers from outside to tasks that wait for them (E51), on several replicas over one database.
class CallbackTests {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(300);

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

  /// What its outside is told, and when it is over.
  private record Outside(BlockingQueue<OpenCallback> told, CountDownLatch returns) {
    Outside() {
      this(new LinkedBlockingQueue<>(), new CountDownLatch(0));
    }

    OpenCallback next() throws InterruptedException {
      var next = told.poll(LONG.toSeconds(), TimeUnit.SECONDS);
      assertThat(next).as("a call").isNotNull();
      return next;
    }
  }

  @Test
  void restsUntilItIsAnsweredAndGoesOnWithThatAnswer() throws Exception {
    var outside = new Outside();
    var run = start(calling(outside, HOUR, null), 1);
    var callback = outside.next();
    awaitWaiting(run);
    assertThat(callback.url()).isEqualTo("http://here/" + callback.token());
    assertThat(stored(run)).as("what is stored").doesNotContain(secret(callback));

    callbacks(two).end(callback.token(), returned("paid"));

    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("paid");
    assertThat(refused(() -> callbacks(one).end(callback.token(), returned("paid"))))
        .isEqualTo(ErrorCode.CALLBACK_ANSWERED);
    assertThat(refused(() -> callbacks(one).heartbeat(callback.token())))
        .isEqualTo(ErrorCode.CALLBACK_ANSWERED);
  }

  /// The service may be quicker than its reply.
  @Test
  void keepsAnAnswerThatComesBeforeTheCallHasReturned() throws Exception {
    var outside = new Outside(new LinkedBlockingQueue<>(), new CountDownLatch(1));
    var run = start(calling(outside, HOUR, null), 1);
    var callback = outside.next();
    callbacks(two).end(callback.token(), returned("early"));
    assertThat(refused(() -> callbacks(one).end(callback.token(), returned("second"))))
        .isEqualTo(ErrorCode.CALLBACK_ANSWERED);
    outside.returns().countDown();

    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("early");
  }

  /// Also one that its driver has heard of while the call was under way.
  @Test
  void keepsAnEarlyAnswerThatWasCountedBefore() throws Exception {
    var outside = new Outside(new LinkedBlockingQueue<>(), new CountDownLatch(1));
    var name = fresh("counted");
    cluster
        .graphs()
        .add(
            graph(name)
                .node("plan", _ -> new Outcome.Done(dispatches(2)))
                .node(
                    "work",
                    call ->
                        text(call.task().input()).equals("0")
                            ? calling(outside, HOUR, null).run(call)
                            : calling(
                                    new Outside(outside.told(), new CountDownLatch(0)), HOUR, null)
                                .run(call))
                .edge("__start__", "plan"));
    var run = cluster.on(one).start(name);
    for (var callback : List.of(outside.next(), outside.next())) {
      callbacks(one).end(callback.token(), returned("taken"));
    }
    outside.returns().countDown();

    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("taken", "taken");
  }

  @Test
  void failsWithTheFailureThatTheOutsideReports() throws Exception {
    var outside = new Outside();
    var run = start(calling(outside, HOUR, null), 1);
    callbacks(one)
        .end(
            outside.next().token(),
            new WorkerEnd.Failed(TaskError.permanent("no_funds", "the card was declined")));

    var error =
        cluster.on(two).await(run, RunStatus.FAILED).summary().standing().error().orElseThrow();
    assertThat(error.error().code()).isEqualTo("no_funds");
  }

  @Test
  void failsWhenItsDeadlineIsOverAndRefusesWhatComesLate() throws Exception {
    var outside = new Outside();
    var run = start(calling(outside, SHORT, null), 1);
    var callback = outside.next();
    assertThat(failure(run)).isEqualTo(Value.of("deadline"));
    assertThat(refused(() -> callbacks(one).end(callback.token(), returned("late"))))
        .isEqualTo(ErrorCode.CALLBACK_CLOSED);
  }

  /// The clock of the database decides, whoever has noticed.
  @Test
  void refusesALateAnswerBeforeAnybodyHasNoticed() throws Exception {
    var outside = new Outside();
    var run = start(calling(outside, HOUR, null), 1);
    var callback = outside.next();
    awaitWaiting(run);
    cluster
        .jdbc()
        .sql(
            "update task set start_until = clock_timestamp(), end_until = clock_timestamp() where"
                + " id = ?")
        .param(callback.id())
        .update();
    assertThat(refused(() -> callbacks(one).end(callback.token(), returned("late"))))
        .isEqualTo(ErrorCode.CALLBACK_CLOSED);
    cluster.on(one).await(run, RunStatus.FAILED);
  }

  @Test
  void failsWhenNothingIsHeardAndStaysOpenWhileSomethingIs() throws Exception {
    var outside = new Outside();
    var silent = start(calling(outside, HOUR, SHORT), 1);
    outside.next();
    assertThat(failure(silent)).isEqualTo(Value.of("heartbeat"));

    var lively = start(calling(outside, HOUR, Duration.ofSeconds(1)), 1);
    var callback = outside.next();
    var until = callbacks(one).heartbeat(callback.token());
    await()
        .atMost(LONG)
        .until(() -> callbacks(two).heartbeat(callback.token()).isAfter(until.plusSeconds(1)));
    callbacks(one).end(callback.token(), returned("alive"));
    cluster.on(one).await(lively, RunStatus.SUCCEEDED);
  }

  @Test
  void makesATokenOfItsOwnForEachRetry() throws Exception {
    var outside = new Outside();
    var run = start(calling(outside, HOUR, null), 3);
    var first = outside.next();
    callbacks(one)
        .end(first.token(), new WorkerEnd.Failed(TaskError.retryable("busy", "try again")));
    var second = outside.next();
    assertThat(second.token()).isNotEqualTo(first.token());
    assertThat(refused(() -> callbacks(one).end(first.token(), returned("old"))))
        .isEqualTo(ErrorCode.CALLBACK_ANSWERED);
    callbacks(one).end(second.token(), returned("new"));

    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("new");
  }

  /// The service may have begun, although its reply was a failure: it has one key, and one address.
  @Test
  void keepsTheTokenOfACallThatIsTriedAgain() throws Exception {
    var outside = new Outside();
    var run = start(failing(outside, 1), 2);
    var first = outside.next();
    assertThat(outside.next().token()).isEqualTo(first.token());
    awaitWaiting(run);
    callbacks(one).end(first.token(), returned("real"));

    var on = cluster.on(two);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("real");
  }

  @Test
  void refusesAnswersToACallThatHasFailedForGood() throws Exception {
    var outside = new Outside();
    var run = start(failing(outside, 9), 2);
    var token = outside.next().token();
    cluster.on(one).await(run, RunStatus.FAILED);
    assertThat(refused(() -> callbacks(one).end(token, returned("ghost"))))
        .isEqualTo(ErrorCode.CALLBACK_CLOSED);
  }

  /// It says that the call has arrived.
  @Test
  void takesAnEarlyAnswerToACallThatFails() throws Exception {
    var outside = new Outside(new LinkedBlockingQueue<>(), new CountDownLatch(1));
    var run = start(failing(outside, 9), 1);
    callbacks(two).end(outside.next().token(), returned("early"));
    outside.returns().countDown();

    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("early");
  }

  /// Whose lease is lost may not take the callback from the next owner.
  @Test
  void keepsTheCallbackFromAnOwnerBefore() throws Exception {
    var outside = new Outside();
    var run = start(calling(outside, HOUR, null), 1);
    var callback = outside.next();
    awaitWaiting(run);
    long epoch =
        cluster
            .jdbc()
            .sql("select lease_epoch from run where id = ?")
            .param(run)
            .query(Long.class)
            .single();
    var store = one.getBean(CheckpointStore.class);
    assertThatThrownBy(() -> store.withdrawCallback(new Lease(run, epoch - 1), callback.id()))
        .isInstanceOf(LeaseLostException.class);
    callbacks(one).end(callback.token(), returned("kept"));
    cluster.on(one).await(run, RunStatus.SUCCEEDED);
  }

  private static NodeRunner failing(Outside outside, int times) {
    var calls = new AtomicInteger();
    return call -> {
      var outcome = calling(outside, HOUR, null).run(call);
      return outcome instanceof Outcome.Callback && calls.incrementAndGet() <= times
          ? new Outcome.Failed(TaskError.retryable("http_503", "busy"))
          : outcome;
    };
  }

  @Test
  void refusesAnswersToACancelledRun() throws Exception {
    var outside = new Outside();
    var run = start(calling(outside, HOUR, null), 1);
    var callback = outside.next();
    awaitWaiting(run);
    cluster.on(two).runs().cancel(run);
    cluster.on(one).await(run, RunStatus.CANCELLED);
    assertThat(refused(() -> callbacks(one).end(callback.token(), returned("late"))))
        .isEqualTo(ErrorCode.CALLBACK_CLOSED);
  }

  /// I14.
  @Test
  void takesOneOfAThousandAnswers() throws Exception {
    var outside = new Outside();
    var run = start(calling(outside, HOUR, null), 1);
    var token = outside.next().token();
    var taken = new ArrayList<Future<Boolean>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 1_000; i++) {
        var answer = returned("a" + i);
        var replica = i % 2 == 0 ? one : two;
        taken.add(threads.submit(() -> isTaken(replica, token, answer)));
      }
    }
    var winners = new ArrayList<String>();
    for (int i = 0; i < taken.size(); i++) {
      if (taken.get(i).get()) {
        winners.add("a" + i);
      }
    }
    assertThat(winners).hasSize(1);
    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).isEqualTo(winners);
  }

  private static boolean isTaken(
      ConfigurableApplicationContext replica, String token, WorkerEnd answer) {
    try {
      callbacks(replica).end(token, answer);
      return true;
    } catch (ServiceException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CALLBACK_ANSWERED);
      return false;
    }
  }

  @Test
  void waitsForAllOfManyAndTakesThemInTheirOrder() throws Exception {
    var outside = new Outside();
    var name = fresh("many");
    cluster
        .graphs()
        .add(
            graph(name)
                .node("plan", _ -> new Outcome.Done(dispatches(20)))
                .node("work", calling(outside, HOUR, null))
                .edge("__start__", "plan"));
    var run = cluster.on(one).start(name);
    var open = new ArrayList<OpenCallback>();
    for (int i = 0; i < 20; i++) {
      open.add(outside.next());
    }
    for (int i = 19; i >= 0; i--) {
      callbacks(i % 2 == 0 ? one : two).end(open.get(i).token(), returned(open.get(i).id()));
    }
    var on = cluster.on(two);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).hasSize(20).doesNotHaveDuplicates();
  }

  /// The repetition behind a crash has the token that was handed out.
  @Test
  void survivesTheReplicaThatHasMadeTheCall() throws Exception {
    var outside = new Outside(new LinkedBlockingQueue<>(), new CountDownLatch(1));
    var name = fresh("survivor");
    add(name, calling(outside, HOUR, null), 1);
    var victim = cluster.start();
    await().atMost(LONG).until(() -> TwoReplicas.hasJoined(victim));
    var run = cluster.on(victim).start(name);
    var callback = outside.next();
    TwoReplicas.cutOff(victim);
    callbacks(one).end(callback.token(), returned("before the repetition"));
    var repeated = outside.next();
    assertThat(repeated.token()).isEqualTo(callback.token());
    outside.returns().countDown();

    var on = cluster.on(two);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("before the repetition");
  }

  @Test
  void saysTheSameOfEveryTokenThatIsNone() throws Exception {
    var outside = new Outside();
    start(calling(outside, HOUR, null), 1);
    var token = outside.next().token();
    var id = token.substring(0, token.indexOf('.'));
    for (var wrong :
        List.of(
            "",
            "x",
            id,
            id + "." + "0".repeat(32),
            "0".repeat(32) + token.substring(id.length()),
            "acme." + token,
            token.toUpperCase(java.util.Locale.ROOT),
            token + "0")) {
      assertThat(refused(() -> callbacks(one).end(wrong, returned("guess"))))
          .as(wrong)
          .isEqualTo(ErrorCode.CALLBACK_NOT_FOUND);
    }
  }

  private static NodeRunner calling(
      Outside outside, Duration deadline, @Nullable Duration heartbeat) {
    return call -> {
      if (call.callbackEnd().isPresent()) {
        return ended(call.callbackEnd().get());
      }
      var open =
          call.openCallback(
              new CallbackRequest(
                  CallbackRequest.BY_TOKEN,
                  ObjectValue.empty(),
                  deadline,
                  Optional.ofNullable(heartbeat),
                  "http://here/"));
      outside.told().add(open);
      outside.returns().await();
      return new Outcome.Callback(open);
    };
  }

  private static Outcome ended(WorkerEnd end) {
    return switch (end) {
      case WorkerEnd.Returned(var value) ->
          new Outcome.Done(
              NodeResult.of(
                  new Change(
                      List.of(), List.of(), ObjectValue.empty(), ObjectValue.of("log", value))));
      case WorkerEnd.Failed(var error) -> new Outcome.Failed(error);
      case WorkerEnd.StepQuestion _ -> throw new IllegalStateException("no callback asks");
    };
  }

  private static NodeResult dispatches(int width) {
    var dispatches =
        IntStream.range(0, width)
            .mapToObj(i ->
                new DispatchRequest(
                    "work",
                    ObjectValue.of("item", Integer.toString(i)),
                    "d" + i,
                    ObjectValue.empty()))
            .toList();
    return new NodeResult(Change.NONE, null, dispatches, ObjectValue.empty(), null, null);
  }

  private static String text(Value input) {
    return input instanceof ObjectValue object ? object.textOrEmpty("item") : "";
  }

  private static void add(String name, NodeRunner node, int attempts) {
    var standard = Node.Policy.DEFAULT;
    var retry =
        new RetryPolicy(
            attempts, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0, List.of(), List.of());
    var policy =
        new Node.Policy(
            retry, Optional.empty(), standard.onError(), standard.maxConcurrency(), false);
    cluster.graphs().add(graph(name).node("a", policy, node).edge("__start__", "a"));
  }

  private static String start(NodeRunner node, int attempts) {
    var name = fresh("callback");
    add(name, node, attempts);
    return cluster.on(one).start(name);
  }

  private static CallbackService callbacks(ConfigurableApplicationContext replica) {
    return replica.getBean(CallbackService.class);
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

  private static String secret(OpenCallback callback) {
    return callback.token().substring(callback.token().lastIndexOf('.') + 1);
  }

  private static String stored(String run) {
    return cluster
        .jdbc()
        .sql("select string_agg(task::text, ' ') from task where run = ?")
        .param(run)
        .query(String.class)
        .single();
  }

  private static Value failure(String run) {
    var error =
        cluster.on(two).await(run, RunStatus.FAILED).summary().standing().error().orElseThrow();
    assertThat(error.error().code()).isEqualTo("node_timeout");
    return error.error().details().getOr("kind", Value.NULL);
  }
}
