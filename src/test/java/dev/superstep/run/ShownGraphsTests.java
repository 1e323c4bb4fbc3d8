package dev.superstep.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.Lane;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.GraphRegistry.Shown;
import dev.superstep.definition.GraphVersion;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class ShownGraphsTests {
  private final Map<String, Shown> stored = new HashMap<>();
  private final List<Collection<String>> looks = new CopyOnWriteArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final ShownGraphs graphs =
      new ShownGraphs(new Stored(), new Lane.Bounds(1, 1_000, 1_000_000));

  private final class Stored implements GraphRegistry {
    @Override
    public Map<String, Shown> shown(Collection<String> names) {
      looks.add(names);
      if (names.contains("slow")) {
        gateOpens();
      }
      if (names.contains("broken")) {
        throw new IllegalStateException("no database");
      }
      var found = new HashMap<>(stored);
      found.keySet().retainAll(names);
      return found;
    }

    @Override
    public Optional<GraphVersion> newest(String name) {
      return Optional.empty();
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
    await().until(() -> thread.getState() == Thread.State.WAITING);
    return task;
  }

  @Test
  void tellsEachCallerThatTheLookFailed() {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> graphs.find("broken")).hasMessage("no database");
    }
    assertThat(graphs.find("none")).isEmpty();
  }
}
