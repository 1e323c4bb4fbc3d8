package dev.superstep.node.llm;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/// Users name graphs and nodes without end; a registry of meters keeps each name for ever.
@ExtendWith(OutputCaptureExtension.class)
class CountedNodesTests {
  private static final Tags OTHERS = Tags.of("graph", "__other__", "node", "__other__");

  @Test
  void countsNoMoreNodesApartThanAllowed() {
    var nodes = new CountedNodes(new MetricsSettings(100));
    var named = new HashSet<Tags>();

    for (int i = 0; i < 10_000; i++) {
      named.add(nodes.tags("graph-" + i / 10, "node-" + i));
    }

    assertThat(named).hasSize(101).contains(OTHERS);
  }

  @Test
  void goesOnCountingApartWhatItKnows() {
    var nodes = new CountedNodes(new MetricsSettings(1));
    nodes.tags("known", "llm");

    assertThat(nodes.tags("new", "llm")).isEqualTo(OTHERS);
    assertThat(nodes.tags("known", "llm")).isEqualTo(Tags.of("graph", "known", "node", "llm"));
  }

  @Test
  void saysOnceThatTheLimitIsReached(CapturedOutput output) {
    var nodes = new CountedNodes(new MetricsSettings(1));
    nodes.tags("first", "llm");
    assertThat(output).doesNotContain("metrics of their own");

    nodes.tags("second", "llm");
    nodes.tags("third", "llm");

    assertThat(output)
        .containsOnlyOnce("metrics of their own")
        .contains("'second'", "superstep.metrics.nodes-max");
  }

  /// Readers without Spring Boot have the same.
  @Test
  void countsAsAServerOnWhichNothingIsSet() {
    assertThat(MetricsSettings.UNSET)
        .isEqualTo(new Binder(List.of()).bindOrCreate("superstep.metrics", MetricsSettings.class));
  }
}
