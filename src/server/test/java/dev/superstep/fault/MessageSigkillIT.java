package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InvariantQueries;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// E49, I14: two replicas of the packaged jar are killed with SIGKILL in turn while people talk to
/// the runs that they drive. Each message that was accepted is in one superstep, or begins the next
/// run of its thread, those of one sender in their order, and none is left behind the end of its
/// run. The long form is `-Dmessages.runs=100 -Dmessages.each=50`.
class MessageSigkillIT {
  private static final int RUNS = Integer.getInteger("messages.runs", 10);
  private static final int EACH = Integer.getInteger("messages.each", 10);
  private static final int SENDERS = 2;
  private static final int LATE_STARTS = 4;
  private static final long SEED = Long.getLong("messages.seed", 17);
  private static final String JSON = "application/json";

  /// Each goes round until somebody has it stop, and sleeps or asks between.
  private enum Talk {
    /// A node stands in for the end.
    LISTENS("inbox: { channel: said, node: round }", PAUSE),
    /// What comes with the last superstep is part of the final state.
    NOTES("inbox: { channel: said }", PAUSE),
    /// Every message closes a question.
    ASKS("inbox: { channel: said, node: round, resumes: true }", QUESTION),
    /// What comes too late begins the next run of the thread.
    FOLLOWS("inbox: { channel: said }", PAUSE),
    /// An agent: messages never come between what a model calls and what the tools answer.
    CHATS("inbox: { channel: messages, node: llm }", "");

    private final String inbox;
    private final String between;

    Talk(String inbox, String between) {
      this.inbox = inbox;
      this.between = between;
    }

    private String graph() {
      return this == CHATS ? chat() : loop();
    }

    private String chat() {
      return """
      name: chats
      template: agent
      limits: { max_supersteps: 100000 }
      channels: { stop: { default: false } }
      %s
      nodes:
        - id: llm
          type: llm
          config: { model: small, tools: [dice] }
          switch:
            - { when: state.finish_reason == 'tool_calls', to: tools }
            - { when: "!state.stop", to: pause }
            - { else: __end__ }
        - { id: tools, type: tool, config: { tools: [dice] }, next: llm }
        - { id: pause, type: wait, config: { for: 500ms }, next: llm }
      """
          .formatted(inbox);
    }

    private String loop() {
      return """
      name: %s
      limits: { max_supersteps: 100000 }
      channels:
        said: { reducer: append }
        rounds: { reducer: sum }
        stop: { default: false }
      %s
      nodes:
        - { id: round, type: expression, config: { update: { rounds: 1 } } }
        - %s
      edges:
        - { from: __start__, to: round }
        - { from: round, to: pause, condition: "!state.stop" }
        - { from: pause, to: round }
      """
          .formatted(name().toLowerCase(Locale.ROOT), inbox, between);
    }

    private static Talk of(int run) {
      return values()[run % values().length];
    }
  }

  /// Without a message there is nothing that a model could be called with.
  private static final String FIRST = "hello";

  private static final String MODEL =
      """
      {"superstep": {
        "models": {"small": {"provider": "stub", "model": "small-1", "script": [
          {"when": {"last": "tool"}, "say": "so"}, {"call": [{"name": "dice", "arguments": "{}"}]}]}},
        "tools": {"stub": {"dice": {
          "description": "Throws a die.", "parameters": "{}", "answer": "4"}}}}}
      """;

  private static final String PAUSE = "{ id: pause, type: wait, config: { for: 20ms } }";
  private static final String QUESTION = "{ id: pause, type: human, config: { payload: Well? } }";
  @TempDir private Path folder;
  private final Map<String, Queue<String>> accepted = new ConcurrentHashMap<>();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private final Semaphore atOnce = new Semaphore(16);

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void takesEachMessageOnceAndInOrder() throws Exception {
    try (var replicas =
        new ReplicaPair(
            folder,
            Map.of(
                "SUPERSTEP_LEASE",
                "2s",
                "SUPERSTEP_TAKEOVERSMAX",
                "20",
                "SPRING_APPLICATION_JSON",
                MODEL))) {
      replicas.start();
      var both = List.of(replicas.first(), replicas.second());
      for (var talk : Talk.values()) {
        assertThat(both.getFirst().post("/v1/graphs", "application/yaml", talk.graph()).status())
            .isEqualTo(201);
      }
      for (int i = 0; i < RUNS; i++) {
        begin(both.get(i % 2), i);
      }

      talk(both);

      var all = new ArrayList<String>();
      for (int i = 0; i < RUNS; i++) {
        all.addAll(check(both.getLast(), i));
      }
      assertThat(new InvariantQueries(replicas.jdbc()).violations(all, Duration.ofSeconds(2)))
          .isEmpty();
      System.out.printf(
          "messages: seed %d, %d threads, %d runs, %d accepted, %d after they were told to stop%n",
          SEED,
          RUNS,
          all.size(),
          accepted.values().stream().mapToInt(Queue::size).sum(),
          late.get());
      assertThat(late).as("a race with the end that nobody wins proves nothing").hasPositiveValue();
    }
  }

  private static String name(int run) {
    return Talk.of(run).name().toLowerCase(Locale.ROOT) + "-" + run;
  }

  private static void begin(Replica replica, int run) {
    var body =
        "{\"id\": \"%1$s\", \"thread_id\": \"%1$s\", \"graph\": \"%2$s\", \"input\": %3$s}"
            .formatted(
                name(run),
                Talk.of(run).name().toLowerCase(Locale.ROOT),
                Talk.of(run) == Talk.CHATS
                    ? "{\"messages\": [{\"role\": \"user\", \"content\": \"%s\"}]}".formatted(FIRST)
                    : "{}");
    assertThat(replica.post("/v1/runs", JSON, body).status()).isIn(200, 202);
  }

  private void talk(List<Replica> both) throws InterruptedException {
    var random = new Random(SEED);
    int all = RUNS * SENDERS * EACH;
    try (var senders = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < RUNS; i++) {
        var run = name(i);
        var follows = Talk.of(i) == Talk.FOLLOWS;
        var ofRun = new Semaphore(0);
        for (int sender = 0; sender < SENDERS; sender++) {
          var name = "s" + sender;
          var first = random.nextInt(2);
          senders.execute(() -> {
            sendInOrder(both, first, run, name);
            ofRun.release();
          });
        }
        senders.execute(() -> {
          ofRun.acquireUninterruptibly(SENDERS);
          sendUntilTheEnd(both, run, follows);
        });
      }
      killBehind(all / 4, both.getFirst());
      killBehind(all / 2, both.getLast());
      both.forEach(Replica::awaitReady);
    }
  }

  private void killBehind(int messages, Replica replica) throws InterruptedException {
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> sent.get() > messages);
    replica.kill();
    replica.start();
    replica.awaitReady();
  }

  private void sendInOrder(List<Replica> both, int first, String run, String sender) {
    for (int i = 0; i < EACH; i++) {
      var id = "%s-%s-%d".formatted(run, sender, i);
      int status = send(both, first + i, run, id, said(run, id));
      assertThat(status).as(id).isEqualTo(202);
      accepted.computeIfAbsent(run, _ -> new ConcurrentLinkedQueue<>()).add(id);
      sent.incrementAndGet();
    }
  }

  /// Tells the run to stop, and goes on talking until it has ended, or for some more runs.
  private void sendUntilTheEnd(List<Replica> both, String run, boolean follows) {
    var stop = "{\"channel\": \"stop\", \"value\": true, ";
    assertThat(send(both, 0, run, run + "-stop", stop)).isEqualTo(202);
    for (int i = 0; !follows || i < LATE_STARTS; i++) {
      var id = "%s-late-%d".formatted(run, i);
      if (send(both, i, run, id, said(run, id)) == 409) {
        return;
      }
      late.incrementAndGet();
      accepted.computeIfAbsent(run, _ -> new ConcurrentLinkedQueue<>()).add(id);
      // A run that is talked to without a pause never ends.
      LockSupport.parkNanos(Duration.ofMillis(20L * i).toNanos());
    }
  }

  private static String said(String run, String text) {
    return "{\"%s\": \"%s\", ".formatted(run.startsWith("chats") ? "message" : "value", text);
  }

  /// Sends until somebody answers, whoever is alive.
  private int send(List<Replica> both, int first, String run, String id, String body) {
    for (int attempt = 0; attempt < 600; attempt++) {
      var replica = both.get((first + attempt) % 2);
      var to = run.startsWith("follows") ? "/v1/threads/%s/messages" : "/v1/runs/%s/messages";
      var how = run.startsWith("follows") ? "\"if_ended\": \"start\", " : "";
      atOnce.acquireUninterruptibly();
      try {
        var request =
            replica
                .request(to.formatted(run))
                .header("Content-Type", JSON)
                .POST(BodyPublishers.ofString(body + how + "\"id\": \"%s\"}".formatted(id)));
        int status = replica.once(request, 10).status();
        if (status == 202 || status == 409) {
          return status;
        }
      } finally {
        atOnce.release();
      }
      LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
    }
    throw new AssertionError("nobody takes message " + id);
  }

  /// @return the runs of the thread
  private List<String> check(Replica replica, int number) {
    var thread = name(number);
    var runs =
        items(replica, "/v1/threads/%s/runs?".formatted(thread)).stream()
            .map(it -> it.textOrEmpty("id"))
            .toList();
    for (var run : runs) {
      var ended = replica.get("/v1/runs/" + run + "?wait=30s");
      assertThat(ended.text("status")).as(run).isEqualTo("succeeded");
      assertThat(items(replica, "/v1/runs/" + run + "/messages?"))
          .as(run)
          .extracting(it -> it.textOrEmpty("status"))
          .isSubsetOf("taken", Talk.of(number) == Talk.FOLLOWS ? "moved" : "taken");
      assertThat(replica.get("/v1/runs/" + run + "/verify").get("verified"))
          .as(run)
          .isEqualTo(Value.TRUE);
    }
    var said =
        replica.get("/v1/threads/" + thread).get("state") instanceof ObjectValue state
            ? said(state)
            : List.<String>of();
    assertThat(said).as(thread).containsExactlyInAnyOrderElementsOf(sent(thread));
    assertInOrder(said);
    return runs;
  }

  private static List<String> said(ObjectValue state) {
    if (!state.has("messages")) {
      return texts(ListValue.orEmpty(state.get("said")));
    }
    var said = new ArrayList<String>();
    boolean called = false;
    for (var message : state.objects("messages")) {
      boolean isUser = message.isText("role", "user");
      assertThat(isUser && called).as("%s comes behind a call of a tool", message).isFalse();
      called = message.has("tool_calls");
      if (isUser && !message.isText("content", FIRST)) {
        said.add(message.textOrEmpty("content"));
      }
    }
    return said;
  }

  private Queue<String> sent(String thread) {
    return accepted.getOrDefault(thread, new ConcurrentLinkedQueue<>());
  }

  private static void assertInOrder(List<String> said) {
    var last = new HashMap<String, Integer>();
    for (var id : said) {
      var sender = id.substring(0, id.lastIndexOf('-'));
      int number = Integer.parseInt(id.substring(id.lastIndexOf('-') + 1));
      assertThat(number).as(id).isEqualTo(last.getOrDefault(sender, -1) + 1);
      last.put(sender, number);
    }
  }

  private static List<String> texts(ListValue list) {
    var texts = new ArrayList<String>();
    list.forEach(it -> texts.add(it instanceof Value.Text(var text) ? text : ""));
    return texts;
  }

  private static List<ObjectValue> items(Replica replica, String path) {
    var found = new ArrayList<ObjectValue>();
    var next = "";
    do {
      var page = replica.get(path + "limit=200" + next);
      found.addAll(((ObjectValue) page.body()).objects("items"));
      next = page.text("next_cursor").isEmpty() ? "" : "&cursor=" + page.text("next_cursor");
    } while (!next.isEmpty());
    return found;
  }
}
