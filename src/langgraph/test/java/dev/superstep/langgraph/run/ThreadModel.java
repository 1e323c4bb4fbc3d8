package dev.superstep.langgraph.run;

import static dev.superstep.run.TestGraphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.NoKey;
import dev.superstep.langgraph.run.RunCall.Launched;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.EventView;
import dev.superstep.run.IfBusy;
import dev.superstep.run.InputEdit;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.RunActions;
import dev.superstep.run.StartRun;
import dev.superstep.run.TestGraphs;
import dev.superstep.run.ThreadService;
import dev.superstep.run.ThreadStatus;
import dev.superstep.run.start.Reconciler;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Plays one seed: random calls in one thread, whose nodes end one by one as the seed says, and
/// what must hold of the thread when nothing moves any more.
///
/// Every input and update adds a word of its own to `log`, every node one when it is committed. So
/// the log shows the accepted calls in order, each with the nodes that have run for it.
final class ThreadModel {
  private static final int CALLS = 9;
  private static final String LAST = "w3";
  private static final List<String> NODES = List.of("w1", "w2", LAST, "side");
  private static final ObjectValue NOWHERE = ObjectValue.of("goto", Value.of("nowhere"));
  private static final IdempotencyKey NO_KEY = NoKey.key();

  private final Calls calls;
  private final Random random;
  private final String name;
  private final String thread;
  private final Semaphore steps = new Semaphore(0);
  private final Set<String> failedOnce = ConcurrentHashMap.newKeySet();
  private final Map<String, AtomicInteger> executions = new ConcurrentHashMap<>();
  private final List<String> story = new ArrayList<>();
  private final List<Word> words = new ArrayList<>();
  private final List<Stop> stops = new ArrayList<>();
  private final Set<String> nowhere = new HashSet<>();
  private int number;
  private boolean disturbed;
  private boolean rolledBack;
  private boolean replaced;

  /// What the calls are made with.
  record Calls(
      RunActions on,
      ThreadService threads,
      RunRequests requests,
      RunLauncher launcher,
      RunCallRows rows,
      Reconciler reconciler) {}

  /// A word that an accepted call adds.
  private static final class Word {
    final String text;
    boolean mayBeGone;

    Word(String text) {
      this.text = text;
    }
  }

  /// A call that wants to stop before the last node.
  private record Stop(String call, String run, long after) {}

  ThreadModel(Calls calls, long seed) {
    this.calls = calls;
    this.random = new Random(seed);
    this.name = "model-" + seed + "-" + UUID.randomUUID().toString().substring(0, 6);
    this.thread = UUID.randomUUID().toString();
    calls.on().graphs().add(definition());
    list();
  }

  /// Lists the graph, of which the registry of the test alone knows, where assistants look for it.
  private void list() {
    calls
        .on()
        .jdbc()
        .sql(
            """
            with listed as (
              insert into graph (name, newest, hidden_through, updated_at)
              values (:graph, 1, 0, now()) returning name)
            insert into graph_version (graph, version, hash, definition, warnings, created_at)
            select name, 1, '', '{}', '[]', now() from listed
            """)
        .param("graph", name)
        .update();
  }

  private TestGraphs.Builder definition() {
    return graph(name)
        .node("w1", step("w1", Optional.empty()))
        .node("w2", step("w2", Optional.of("ask")))
        .node(LAST, step(LAST, Optional.of("fail")))
        .node("side", step("side", Optional.empty()))
        .edge("__start__", "w1")
        .edge("w1", "w2")
        .edge("w2", LAST)
        .edge("w2", "side");
  }

  /// @param trouble the mode in which the node asks or fails first
  private NodeRunner step(String node, Optional<String> trouble) {
    return call -> {
      steps.acquire();
      var block = block(call);
      executions.computeIfAbsent(block + " " + node, _ -> new AtomicInteger()).incrementAndGet();
      var mode = call.state().channels().getOr("mode", Value.NULL);
      if (trouble.isPresent() && mode.equals(Value.of(trouble.get()))) {
        if (trouble.get().equals("ask") && call.resume().isEmpty()) {
          return new Outcome.Interrupted(InterruptRequest.of("why", Value.of("well?")));
        }
        if (trouble.get().equals("fail") && failedOnce.add(block)) {
          return TestGraphs.fails("planned");
        }
      }
      return TestGraphs.log(node);
    };
  }

  private static String block(NodeCall call) {
    return words(call.state().channels()).stream()
        .filter(it -> it.startsWith("i"))
        .reduce("", (_, later) -> later);
  }

  private static List<String> words(ObjectValue state) {
    return state.getOr("log", ListValue.empty()) instanceof ListValue list
        ? list.stream().map(it -> ((Value.Text) it).value()).toList()
        : List.of();
  }

  void play() {
    try {
      input("reject", false);
      for (int i = 0; i < CALLS; i++) {
        int permits = random.nextInt(3);
        steps.release(permits);
        if (permits > 0 && random.nextInt(3) == 0) {
          settle();
        }
        call();
      }
      finish();
      check(thread);
    } catch (Throwable e) {
      throw new AssertionError(String.join("\n  ", story), e);
    }
  }

  /// Lets the nodes that may end do so, without waiting for what may not.
  private void settle() {
    await().atMost(Duration.ofSeconds(20)).until(() -> steps.availablePermits() == 0 || !moves());
  }

  private boolean moves() {
    return status() == ThreadStatus.BUSY;
  }

  private ThreadStatus status() {
    return calls.on().threads().summary(thread).status();
  }

  private void call() {
    switch (random.nextInt(13)) {
      case 0, 1, 2 -> input(strategy(), random.nextBoolean());
      case 3 -> overwrite();
      case 4, 5 -> goOn(strategy());
      case 6 -> update(strategy());
      case 7 -> answer(strategy());
      case 8 -> byTheOtherApi();
      case 9 -> cancel();
      case 10 -> kill();
      case 11 -> goNowhere();
      default -> copy();
    }
  }

  private String strategy() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> "reject";
      case 2 -> "interrupt";
      case 3 -> "rollback";
      default -> "enqueue";
    };
  }

  private String mode() {
    return switch (random.nextInt(5)) {
      case 0 -> "ask";
      case 1 -> "fail";
      default -> "plain";
    };
  }

  private ObjectValue values(String word) {
    return ObjectValue.of("log", Value.of(word)).plus("mode", Value.of(mode()));
  }

  private void input(String strategy, boolean stops) {
    var word = new Word("i" + number++);
    accepted(strategy, word, face("input", values(word.text), strategy, stops));
  }

  private void update(String strategy) {
    var word = new Word("u" + number++);
    var command = ObjectValue.of("update", ObjectValue.of("log", Value.of(word.text)));
    accepted(strategy, word, face("command", command, strategy, random.nextInt(4) == 0));
  }

  private void goOn(String strategy) {
    accepted(strategy, null, face("input", Value.NULL, strategy, random.nextInt(3) == 0));
  }

  private void answer(String strategy) {
    var command = ObjectValue.of("resume", Value.of("yes"));
    accepted(strategy, null, face("command", command, strategy, random.nextInt(3) == 0));
  }

  /// A call that fits no state, but is found out only when its turn comes.
  private void goNowhere() {
    accepted("enqueue", null, face("command", NOWHERE, "enqueue", false));
  }

  private Supplier<String> face(String member, Value value, String strategy, boolean stops) {
    var body =
        ObjectValue.of("assistant_id", Value.of(name))
            .plus("if_not_exists", Value.of("create"))
            .plus("multitask_strategy", Value.of(strategy))
            .plus(member, value);
    var whole = stops ? body.plus("interrupt_before", Value.of(LAST)) : body;
    return () -> {
      var request = calls.requests().read(whole);
      Launched launched = calls.launcher().launch(Optional.of(thread), request, NO_KEY, _ -> {});
      var call = launched.call();
      if (value.equals(NOWHERE)) {
        nowhere.add(call.run());
      }
      if (stops && !call.nothing()) {
        this.stops.add(new Stop(call.id(), call.run(), call.after()));
      }
      return "%s %s%s"
          .formatted(whole.minus("assistant_id"), call.run(), call.nothing() ? " -" : "");
    };
  }

  /// An input of `/v1`, or one that replaces the log.
  private void overwrite() {
    var strategy = strategy();
    var word = new Word("i" + number++);
    boolean replaces = random.nextBoolean();
    var ifBusy = IfBusy.find(strategy).orElseThrow();
    var input = values(word.text).plus("log", ListValue.texts(word.text));
    var start =
        new StartRun(
                name,
                Optional.empty(),
                input,
                Optional.empty(),
                Optional.empty(),
                Optional.of(thread),
                Map.of(),
                new StartRun.Options(Limits.NONE, Breakpoints.NONE, 0, Optional.empty())
                    .ifBusy(ifBusy))
            .with(replaces ? new InputEdit(Set.of("log"), List.of()) : InputEdit.NONE);
    boolean was =
        accepted(
            strategy, word, () -> "v1 " + replaces + " " + calls.on().runs().start(start).run());
    if (was && replaces) {
      replaced = true;
      words.stream().filter(it -> it != word).forEach(it -> it.mayBeGone = true);
    }
  }

  /// Resumes the newest run by its id.
  private void byTheOtherApi() {
    var head = calls.on().threads().thread(thread).head();
    if (head.isPresent()) {
      var resume =
          new ResumeRun(head.get().run(), List.of(), List.of(), Optional.empty(), Limits.NONE);
      accepted("reject", null, () -> "resume " + calls.on().runs().resume(resume));
    }
  }

  /// @return whether the call was accepted
  private boolean accepted(String strategy, @Nullable Word word, Supplier<String> call) {
    try {
      var done = call.get();
      story.add(done);
      disturbed |= !strategy.equals("reject") && !strategy.equals("enqueue");
      // New input ends what stands at a question.
      disturbed |= word != null;
      if (strategy.equals("rollback")) {
        rolledBack = true;
        words.forEach(it -> it.mayBeGone = true);
      }
      if (word != null) {
        // What is updated may be rolled back by the same call, or replaced by one that waits.
        word.mayBeGone = word.text.startsWith("u") && (strategy.equals("rollback") || replaced);
        words.add(word);
      }
      return true;
    } catch (ServiceException refused) {
      story.add("refused %s: %s".formatted(refused.code(), refused.detail()));
      assertThat(refused.code())
          .isIn(
              ErrorCode.THREAD_BUSY,
              ErrorCode.NOTHING_TO_RESUME,
              ErrorCode.RUN_ENDED,
              ErrorCode.RUN_NOT_FOUND,
              ErrorCode.RUN_NOT_AT_REST,
              ErrorCode.INTERRUPT_CLOSED,
              ErrorCode.INVALID_VALUE,
              ErrorCode.THREAD_NOT_FOUND);
      return false;
    }
  }

  private List<String> runs(String of, String statuses) {
    return calls
        .on()
        .jdbc()
        .sql(
            "select id from run where thread_id = :thread and status = any(string_to_array(:s,"
                + " ',')) order by ordinal")
        .param("thread", of)
        .param("s", statuses)
        .query((row, _) -> row.getString(1))
        .list();
  }

  private void cancel() {
    var some = runs(thread, "enqueued,queued,running,waiting,interrupted");
    if (some.isEmpty()) {
      return;
    }
    var run = some.get(random.nextInt(some.size()));
    boolean waited =
        !calls
            .on()
            .jdbc()
            .sql("select 1 from run where id = ? and turn is null")
            .param(run)
            .query()
            .listOfRows()
            .isEmpty();
    try {
      calls.on().runs().cancel(run);
      story.add("cancelled " + run);
      disturbed = true;
      if (waited) {
        words.forEach(it -> it.mayBeGone = true);
      }
    } catch (ServiceException ended) {
      story.add("not cancelled: " + ended.detail());
    }
  }

  /// Takes a run from its driver, as if that had died.
  private void kill() {
    int killed =
        calls
            .on()
            .jdbc()
            .sql(
                """
                update run set owner = 'dead-' || id, lease_epoch = next_epoch(lease_epoch)
                 where thread_id = ? and status = 'running' and owner is not null
                   and owner not like 'dead-%' and takeovers = 0
                """)
            .param(thread)
            .update();
    if (killed > 0) {
      story.add("killed the driver");
      disturbed = true;
      calls.reconciler().reconcile();
    }
  }

  /// A copy has what is committed of the thread; what is said in it stays there.
  private void copy() {
    var copy = calls.threads().copy(thread);
    story.add("copied");
    var copied = log(copy);
    if (!copied.isEmpty()) {
      checkBlocks(copied);
    }
  }

  /// Lets everything end: nodes do, questions are answered, breakpoints passed, failures repeated.
  private void finish() {
    steps.release(100_000);
    for (int i = 0; i < 60; i++) {
      await()
          .atMost(Duration.ofSeconds(30))
          .pollInterval(Duration.ofMillis(10))
          .until(() -> !moves());
      // One look at all of the thread: it may move between two.
      var open = runs(thread, "enqueued,queued,running,waiting,interrupted,cancelling");
      if (open.isEmpty() && !headIs("failed")) {
        return;
      }
      if (random.nextBoolean()) {
        answer("enqueue");
      }
      goOn("enqueue");
    }
    throw new AssertionError("the thread does not come to its end: " + status());
  }

  private boolean headIs(String status) {
    return calls
        .on()
        .jdbc()
        .sql(
            "select status from run where thread_id = ? and turn is not null"
                + " order by turn desc limit 1")
        .param(thread)
        .query((row, _) -> row.getString(1))
        .optional()
        .filter(status::equals)
        .isPresent();
  }

  private List<String> log(String of) {
    return words(calls.on().threads().thread(of).state());
  }

  private void check(String of) {
    var log = log(of);
    story.add("log: " + log);
    story.add("runs: " + rows());
    checkBlocks(log);
    checkWords(log);
    checkHead();
    stops.forEach(this::checkStop);
    if (!disturbed) {
      executions.forEach((task, times) -> {
        if (task.endsWith("w1") || task.endsWith("side")) {
          assertThat(times.get()).as(task).isEqualTo(1);
        }
      });
    }
    // Without a state, a call that goes on with it can do nothing.
    assertThat(failures())
        .allMatch(it -> it.equals("planned") || (rolledBack && it.equals("invalid_value")));
  }

  private List<String> rows() {
    return calls
        .on()
        .jdbc()
        .sql(
            "select id || ' ' || status || ' ' || coalesce(error_code, '') || ' ' || ordinal || ' '"
                + " || coalesce(turn::text, '-') from run where thread_id = ? order by ordinal")
        .param(thread)
        .query((row, _) -> row.getString(1))
        .list();
  }

  private List<String> failures() {
    return calls
        .on()
        .jdbc()
        .sql(
            "select error_code from run where thread_id = ? and status = 'failed' and id <> all(?)")
        .param(thread)
        .param(nowhere.toArray(String[]::new))
        .query((row, _) -> String.valueOf(row.getString(1)))
        .list();
  }

  /// No node twice for one input; the last one is complete, for nothing is pending.
  private static void checkBlocks(List<String> log) {
    var seen = new HashSet<String>();
    for (var word : log) {
      if (word.startsWith("i")) {
        seen.clear();
      } else if (NODES.contains(word)) {
        assertThat(seen.add(word)).as("%s twice in %s", word, log).isTrue();
      }
    }
  }

  private void checkWords(List<String> log) {
    var known = words.stream().map(it -> it.text).toList();
    var found = log.stream().filter(known::contains).toList();
    assertThat(found).doesNotHaveDuplicates();
    // An update of a run that stands does not wait for what is behind that.
    assertThat(found.stream().filter(it -> it.startsWith("i")).toList())
        .isEqualTo(
            known.stream().filter(found::contains).filter(it -> it.startsWith("i")).toList());
    // An update of a thread whose only run was rolled back fails, and says so.
    boolean hadNoState = rolledBack && failures().contains("invalid_value");
    for (var word : words) {
      boolean mayBeGone = word.mayBeGone || (hadNoState && word.text.startsWith("u"));
      assertThat(mayBeGone || found.contains(word.text)).as(word.text).isTrue();
    }
  }

  /// The head of a thread is the run with the highest turn, and its last commit is the state.
  private void checkHead() {
    var newest =
        calls
            .on()
            .jdbc()
            .sql(
                "select id from run where thread_id = ? and turn is not null"
                    + " order by turn desc limit 1")
            .param(thread)
            .query(String.class)
            .optional();
    assertThat(calls.on().threads().thread(thread).head().map(it -> it.run())).isEqualTo(newest);
  }

  /// The last node has run behind the call only after a stop before it, unless it had begun.
  private void checkStop(Stop stop) {
    var now = calls.rows().find(stop.call());
    if (now.isEmpty() || now.get().nothing()) {
      return;
    }
    var events = events(now.get().run());
    long after = now.get().after();
    for (var event : events) {
      boolean behind = event.seq().orElseThrow() > after;
      if (!behind && isOf(event, "task.failed", 3)) {
        return;
      }
      // Behind the call, or the stop that it passes.
      if (isOf(event, "run.interrupted", 2) && event.event().data().has("breakpoint")) {
        return;
      }
      assertThat(behind && isOf(event, "superstep.committed", 3))
          .as("%s passed the breakpoint of %s", now.get().run(), stop.call())
          .isFalse();
    }
  }

  /// A run that was rolled back may be erased between two reads.
  private List<EventView> events(String run) {
    try {
      return calls.on().queries().events(run, 0, Set.of(), 1000);
    } catch (ServiceException gone) {
      assertThat(gone.code()).isEqualTo(ErrorCode.RUN_NOT_FOUND);
      assertThat(rolledBack).as(gone.detail()).isTrue();
      return List.of();
    }
  }

  private static boolean isOf(EventView event, String type, int superstep) {
    return event.event().type().equals(type)
        && event.event().superstep().equals(Optional.of(superstep));
  }
}
