package dev.superstep.run.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.GraphRegistry.Shown;
import dev.superstep.definition.GraphVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class VisibleGraphsTests {
  private final Map<String, Shown> stored = new HashMap<>();
  private final List<Collection<String>> looks = new CopyOnWriteArrayList<>();
  private final AtomicBoolean broken = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final VisibleGraphs graphs = new VisibleGraphs(new Stored());

  private final class Stored implements GraphRegistry {
    @Override
    public List<Listed> listed(int max) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, Shown> shown(Collection<String> names) {
      looks.add(names);
      if (names.contains("slow")) {
        gateOpens();
      }
      if (names.contains("broken once") && broken.compareAndSet(false, true)) {
        throw new OutOfMemoryError("no memory");
      }
      var found = new HashMap<>(stored);
      found.keySet().retainAll(names);
      return found;
    }

    @Override
    public Optional<GraphVersion> version(String name, int version) {
      return Optional.empty();
    }

    @Override
    public Compiled compiled(String name, int version) {
      throw new UnsupportedOperationException();
    }
  }

  private void gateOpens() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Those who ask while somebody looks are answered by a look that begins later: it has what was
  /// posted before they asked.
  @Test
  void sharesALookThatBeginsWhenAllHaveAsked() throws Exception {
    var slow = asking("slow");
    await().until(() -> looks.size() == 1);
    stored.put("a", new Shown(0, 1));
    stored.put("b", new Shown(2, 3));
    var a = asking("a");
    var b = asking("b");
    var none = asking("none");
    gate.countDown();

    assertThat(slow.get()).isEmpty();
    assertThat(a.get()).contains(new Shown(0, 1));
    assertThat(b.get()).contains(new Shown(2, 3));
    assertThat(none.get()).isEmpty();
    assertThat(looks).hasSize(2);
  }

  /// Returns when the thread waits.
  private FutureTask<Optional<Shown>> asking(String name) {
    var task = new FutureTask<>(() -> graphs.find(name));
    var thread = Thread.ofPlatform().start(task);
    threads.add(thread);
    await().until(() -> thread.getState() == Thread.State.WAITING);
    return task;
  }

  /// What goes wrong for the one who looks is not the others' answer, and is theirs only if it goes
  /// wrong again.
  @Test
  void looksAgainForThoseWhoseLookHasFailed() throws Exception {
    stored.put("a", new Shown(0, 1));
    var slow = asking("slow");
    await().until(() -> looks.size() == 1);
    var leader = asking("broken once");
    var a = asking("a");
    gate.countDown();

    assertThat(slow.get()).isEmpty();
    assertThatThrownBy(leader::get).hasRootCauseMessage("no memory");
    assertThat(a.get()).contains(new Shown(0, 1));
    assertThat(graphs.find("broken once")).isEmpty();
  }

  @Test
  void answersWhoWasInterruptedAsAnyOtherLookWould() throws Exception {
    stored.put("a", new Shown(0, 1));
    var slow = asking("slow");
    await().until(() -> looks.size() == 1);
    var a = asking("a");
    threads.getLast().interrupt();

    assertThat(a.get()).contains(new Shown(0, 1));
    gate.countDown();
    assertThat(slow.get()).isEmpty();
  }
}
