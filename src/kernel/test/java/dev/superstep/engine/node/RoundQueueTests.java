package dev.superstep.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.tenant.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RoundQueueTests {
  private final RoundQueue<String> queue = new RoundQueue<>();

  private void add(String... elements) {
    for (var element : elements) {
      queue.add(share(element), element);
    }
  }

  /// Capitals are callers of another tenant.
  private static Share share(String element) {
    var caller = element.substring(0, 1);
    return new Share(caller.equals(caller.toLowerCase(Locale.ROOT)) ? "acme" : "other", caller);
  }

  private List<String> rest() {
    var rest = new ArrayList<String>();
    for (var next = queue.poll(); next != null; next = queue.poll()) {
      rest.add(next);
    }
    return rest;
  }

  @Test
  void takesOneOfEachShareInTurn() {
    add("a1", "a2", "a3", "b1", "c1", "c2");

    assertThat(queue.peek()).isEqualTo("a1");
    assertThat(rest()).containsExactly("a1", "b1", "c1", "a2", "c2", "a3");
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void takesASharesOwnInTheirOrderAndLateOnesInTheirTurn() {
    add("a1", "a2", "a3");
    assertThat(queue.poll()).isEqualTo("a1");
    add("b1");
    add("a4");

    assertThat(rest()).containsExactly("a2", "b1", "a3", "a4");
  }

  @Test
  void passesOverSharesThatAreNotAdmitted() {
    add("a1", "b1", "b2");

    assertThat(queue.poll(share -> share.caller().equals("b"))).isEqualTo("b1");
    assertThat(queue.poll(_ -> false)).isNull();
    assertThat(queue.size()).isEqualTo(2);
    assertThat(rest()).containsExactly("a1", "b2");
  }

  /// However many callers of one have queued something.
  @Test
  void takesOneOfEachTenantInTurn() {
    add("a1", "a2", "b1", "c1", "X1", "X2", "Y1");

    assertThat(rest()).containsExactly("a1", "X1", "b1", "Y1", "c1", "X2", "a2");
    assertThat(queue.peek()).isNull();
  }

  @Test
  void passesOverTenantsThatAreNotAdmitted() {
    add("a1", "b1", "X1");

    assertThat(queue.poll(share -> share.tenant().equals("other"))).isEqualTo("X1");
    assertThat(queue.remove(share("b"), "b1")).isTrue();
    queue.addFirst(share("Y"), "Y1");
    assertThat(rest()).containsExactly("Y1", "a1");
  }

  @Test
  void forgetsWhatIsRemoved() {
    add("a1", "b1");

    assertThat(queue.remove(share("a"), "a1")).isTrue();
    assertThat(queue.remove(share("a"), "a1")).isFalse();
    assertThat(rest()).containsExactly("b1");
  }

  @Test
  void takesFirstWhatWasReturned() {
    add("a1", "b1", "b2");
    queue.poll();
    queue.poll();

    queue.addFirst(share("b"), "b1");
    queue.addFirst(share("a"), "a1");

    assertThat(rest()).containsExactly("a1", "b1", "b2");
  }
}
