package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.state.Channels;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RouterNodeTypeTests {

  /// E26: without goto and dispatch, the edges decide.
  @Test
  void leavesEverythingToItsEdges() throws Exception {
    var node =
        new RouterNodeType(TestCall.EXPRESSIONS)
            .create(TestCall.node("router", "{}"), new GraphOutline(Channels.none(), Set.of()));
    assertThat(node.run(TestCall.plain())).isEqualTo(new Outcome.Done(NodeResult.NOTHING));
    assertThat(node.pure()).isTrue();
  }
}
