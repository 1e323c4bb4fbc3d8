package dev.superstep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.type.NodeType;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AssignableTypeFilter;

class LocalReaderTests {

  /// It names them, where Spring looks for them.
  @Test
  void hasTheTypesThatAServerHas() {
    var scan = new ClassPathScanningCandidateComponentProvider(false);
    scan.addIncludeFilter(new AssignableTypeFilter(NodeType.class));
    var classes =
        scan.findCandidateComponents("dev.superstep.node").stream()
            .map(it -> it.getBeanClassName())
            .toList();

    assertThat(LocalReader.open().types().all())
        .extracting(it -> it.getClass().getName())
        .hasSizeGreaterThan(10)
        .containsExactlyInAnyOrderElementsOf(classes);
  }
}
