package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.Value;
import dev.superstep.state.value.ValueText;
import org.junit.jupiter.api.Test;

class PointerTests {

  @Test
  void findsWhatItPointsAt() {
    var root = ValueText.read("{\"a/b\": [{\"~\": 1}], \"\": 2}");
    var pointer = Pointer.child(Pointer.child(Pointer.child("", "a/b"), 0), "~");
    assertThat(pointer).isEqualTo("/a~1b/0/~0");
    assertThat(Pointer.find(root, pointer)).contains(Value.of(1));
    assertThat(Pointer.find(root, "/")).contains(Value.of(2));
    assertThat(Pointer.find(root, "")).contains(root);
    assertThat(Pointer.find(root, "/a~1b/1")).isEmpty();
    assertThat(Pointer.find(root, "/a~1b/00")).isEmpty();
    assertThat(Pointer.find(root, "/a~1b/0/~0/x")).isEmpty();
  }
}
