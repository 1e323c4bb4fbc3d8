package dev.superstep.run.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.LiveText;
import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.node.TextHead;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.node.TestCall;
import dev.superstep.run.EventView;
import dev.superstep.run.stream.LiveEventBus.KeptText;
import dev.superstep.schedule.ReplicaNotifications;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What replicas tell each other of who listens, and of what is said.
class LiveEventBusTests {
  private final Wire wire = new Wire();
  private final LiveEventRelay elsewhere = new LiveEventRelay(wire);
  private final LiveEventBus liveEventBus =
      new LiveEventBus(InstantSource.system(), elsewhere, new SimpleMeterRegistry());

  private static void ignore(EventView unused) {}

  private void say(String text) {
    var task = new TaskKey(1, new NodeId("a"), null);
    var delta = MessageDelta.next(new TextHead(1, "", Optional.empty()), 0, text);
    liveEventBus.observe("r", MessageDelta.TYPE, task, delta.data());
  }

  @Test
  void tellsOthersLastOfTheOneWhoComesAsTheLastOneLeaves() throws Exception {
    var first = liveEventBus.add("r", LiveEventBusTests::ignore);
    var second =
        Thread.ofPlatform().unstarted(() -> liveEventBus.add("r", LiveEventBusTests::ignore));
    wire.before(
        ReplicaNotifications.NotificationKind.UNSUBSCRIBED,
        () -> {
          second.start();
          await().until(() -> isOverOrHeldUp(second));
        });

    first.close();
    second.join();

    assertThat(wire.sent)
        .containsExactly("JOINED r", "SUBSCRIBED r", "UNSUBSCRIBED r", "JOINED r", "SUBSCRIBED r");
  }

  private static boolean isOverOrHeldUp(Thread thread) {
    return switch (thread.getState()) {
      case BLOCKED, WAITING, TIMED_WAITING, TERMINATED -> true;
      case NEW, RUNNABLE -> false;
    };
  }

  /// Of whatever has broken, others go on being told.
  @Test
  void tellsWhatIsSaidBehindAnErrorThatEndedTheSender() {
    elsewhere.subscribed("other", "r");
    var error = new StackOverflowError("as a test wants it");
    error.setStackTrace(new StackTraceElement[0]);
    wire.breakNext(error);
    say("lost");
    elsewhere.moved("r");
    await()
        .dontCatchUncaughtExceptions()
        .until(() -> wire.sent.contains(ReplicaNotifications.NotificationKind.LOOK + " r"));

    say("heard");

    await()
        .dontCatchUncaughtExceptions()
        .until(() -> wire.sent.stream().anyMatch(it -> it.contains("heard")));
  }

  private LiveText begins(TaskKey task) {
    return liveEventBus.begin("r", task, 1, Optional.of("m-1"));
  }

  private static TaskKey task(String node) {
    return new TaskKey(1, new NodeId(node), null);
  }

  /// The pieces that a listener gets from now on, as `node@offset text`.
  private List<String> listening() {
    var heard = new CopyOnWriteArrayList<String>();
    liveEventBus.add("r", it -> heard.add(written(it)));
    return heard;
  }

  private static String written(EventView view) {
    var delta = MessageDelta.of(view.event()).orElseThrow();
    return "%s@%d %s"
        .formatted(view.event().node().map(NodeId::value).orElse(""), delta.offset(), delta.text());
  }

  @Test
  void givesAListenerTheTextsSoFarAndThenTheRest() {
    var a = begins(task("a"));
    a.append("He");
    var b = begins(task("b"));
    var first = listening();
    b.append("Good");
    a.append("llo");
    var second = listening();
    a.append("!");

    assertThat(first).containsExactly("a@0 He", "b@0 Good", "a@2 llo", "a@5 !");
    assertThat(second).containsExactly("a@0 Hello", "b@0 Good", "a@5 !");
  }

  /// A piece that is written while a listener gets the text so far comes behind it.
  @Test
  void losesAndRepeatsNothingAsAListenerComes() throws Exception {
    var text = begins(task("a"));
    text.append("He");
    var writer = Thread.ofPlatform().unstarted(() -> text.append("llo"));
    var heard = new CopyOnWriteArrayList<String>();

    liveEventBus.add(
        "r",
        it -> {
          if (heard.isEmpty() && writer.getState() == Thread.State.NEW) {
            writer.start();
            await().until(() -> isOverOrHeldUp(writer));
          }
          heard.add(written(it));
        });
    writer.join();

    assertThat(heard).containsExactly("a@0 He", "a@2 llo");
  }

  @Test
  void forgetsTextsThatAreOverOrVoid() {
    var over = begins(task("a"));
    over.append("over");
    var failed = begins(task("b"));
    failed.append("void");
    var replaced = begins(task("c"));
    replaced.append("first");
    begins(task("c")).append("second");
    failed.close();
    failed.append("late");
    replaced.append("late");

    assertThat(listening()).containsExactly("a@0 over", "c@0 second");
    assertThat(liveEventBus.keptChars()).isEqualTo(10);

    var node = TestCall.node("t", "{}");
    liveEventBus.ended(
        "r", List.of(new Task(task("a"), node, null), new Task(task("c"), node, null)));
    assertThat(listening()).isEmpty();
    assertThat(liveEventBus.keptChars()).isZero();
  }

  @Test
  void keepsNoTextThatIsTooLong() {
    var text = begins(task("a"));
    text.append("x".repeat(KeptText.CHARS_MAX));
    assertThat(liveEventBus.keptChars()).isEqualTo(KeptText.CHARS_MAX);
    text.append("y");
    assertThat(liveEventBus.keptChars()).isZero();

    var heard = listening();
    text.append("z");
    assertThat(heard).containsExactly("a@%d z".formatted(KeptText.CHARS_MAX + 1));
  }

  @Test
  void keepsNoMoreTextThanThereIsRoomFor() {
    long texts = KeptText.ALL_CHARS_MAX / KeptText.CHARS_MAX;
    for (int i = 0; i < texts; i++) {
      begins(task("n" + i)).append("x".repeat(KeptText.CHARS_MAX));
    }
    var last = begins(task("last"));
    last.append("lost");

    assertThat(liveEventBus.keptChars()).isEqualTo(KeptText.ALL_CHARS_MAX);
    assertThat(listening()).hasSize((int) texts).noneMatch(it -> it.startsWith("last"));
  }

  @Test
  void sendsTheTextsSoFarToAReplicaWithANewListener() {
    var text = begins(task("a"));
    text.append("He");
    liveEventBus.joinedElsewhere("other", "r");
    text.append("llo");

    await().until(() -> wire.sent.stream().anyMatch(it -> it.contains("\"Hello\"")));
    assertThat(wire.sent).hasSize(1).first().asString().contains("so_far");
  }

  /// Its commits are not hurried, and no other replica is told.
  @Test
  void keepsTextsWithoutAListener() {
    var kept = liveEventBus.keepTexts("r");
    var other = liveEventBus.keepTexts("r");
    assertThat(liveEventBus.keepsTexts("r")).isTrue();
    assertThat(liveEventBus.watches("r")).isFalse();

    kept.close();
    kept.close();
    assertThat(liveEventBus.keepsTexts("r")).isTrue();
    other.close();
    assertThat(liveEventBus.keepsTexts("r")).isFalse();
    assertThat(wire.sent).isEmpty();
  }

  @Test
  void tellsOthersOfTextsThatAreKeptOnceThatIsRenewedUntilTheLastOneLeaves() {
    var listener = liveEventBus.add("r", LiveEventBusTests::ignore);
    var kept = liveEventBus.keepTexts("r");
    listener.close();
    assertThat(wire.sent).containsExactly("JOINED r", "SUBSCRIBED r");
    kept.close();
    assertThat(wire.sent).endsWith("UNSUBSCRIBED r").hasSize(3);

    var again = liveEventBus.keepTexts("r");
    again.renew();
    again.renew();
    again.close();
    assertThat(wire.sent.subList(3, wire.sent.size()))
        .containsExactly("SUBSCRIBED r", "UNSUBSCRIBED r");
  }

  /// Their replicas stream, and send the pieces to whoever joins.
  @Test
  void tellsOthersOfTextsThatAreKeptWhenASuperstepIsSpread() {
    liveEventBus.spread("r");
    assertThat(wire.sent).isEmpty();

    var kept = liveEventBus.keepTexts("r");
    liveEventBus.spread("r");
    liveEventBus.spread("r");
    assertThat(wire.sent).containsExactly("SUBSCRIBED r");
    assertThat(liveEventBus.watches("r")).isFalse();

    kept.close();
    assertThat(wire.sent).containsExactly("SUBSCRIBED r", "UNSUBSCRIBED r");
  }

  /// What this replica sends.
  private static final class Wire implements ReplicaNotifications {
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final List<NotificationKind> awaited = new CopyOnWriteArrayList<>();
    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    private final AtomicReference<@Nullable Error> broken = new AtomicReference<>();

    void before(NotificationKind kind, Runnable action) {
      awaited.add(kind);
      meanwhile.set(action);
    }

    void breakNext(Error error) {
      broken.set(error);
    }

    @Override
    public void send(NotificationKind kind, String run) {
      if (awaited.remove(kind)) {
        meanwhile.get().run();
      }
      sent.add(kind + " " + run);
    }

    @Override
    public boolean arrive() {
      return true;
    }

    @Override
    public void sendLive(String replica, List<String> texts) {
      var error = broken.getAndSet(null);
      if (error != null) {
        throw error;
      }
      sent.addAll(texts);
    }
  }
}
