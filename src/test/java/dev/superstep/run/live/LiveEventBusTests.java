package dev.superstep.run.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.task.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.run.view.EventView;
import dev.superstep.schedule.ReplicaNotifications;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Issue 5, 4: what replicas tell each other of who listens, and of what is said.
class LiveEventBusTests {
  private final Wire wire = new Wire();
  private final LiveEventRelay elsewhere = new LiveEventRelay(wire);
  private final LiveEventBus liveEventBus = new LiveEventBus(InstantSource.system(), elsewhere);

  private static void ignore(EventView unused) {}

  private void say(String text) {
    var task = new TaskKey(1, new NodeId("a"), null);
    liveEventBus.observe("r", MessageDelta.TYPE, task, new MessageDelta(1, 0, text).data());
  }

  @Test
  void tellsOthersLastOfTheOneWhoComesAsTheLastOneLeaves() throws Exception {
    var first = liveEventBus.add("r", LiveEventBusTests::ignore);
    var second =
        Thread.ofPlatform().unstarted(() -> liveEventBus.add("r", LiveEventBusTests::ignore));
    wire.before(
        ReplicaNotifications.Kind.UNSUBSCRIBED,
        () -> {
          second.start();
          await().until(() -> isOverOrHeldUp(second));
        });

    first.close();
    second.join();

    assertThat(wire.sent).last().isEqualTo(ReplicaNotifications.Kind.SUBSCRIBED + " r");
    assertThat(wire.sent).hasSize(3);
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
        .until(() -> wire.sent.contains(ReplicaNotifications.Kind.LOOK + " r"));

    say("heard");

    await()
        .dontCatchUncaughtExceptions()
        .until(() -> wire.sent.stream().anyMatch(it -> it.contains("heard")));
  }

  /// What this replica sends.
  private static final class Wire implements ReplicaNotifications {
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final List<Kind> awaited = new CopyOnWriteArrayList<>();
    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    private final AtomicReference<@Nullable Error> broken = new AtomicReference<>();

    void before(Kind kind, Runnable action) {
      awaited.add(kind);
      meanwhile.set(action);
    }

    void breakNext(Error error) {
      broken.set(error);
    }

    @Override
    public void send(Kind kind, String run) {
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
