package dev.superstep.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.annotation.Transactional;

class LargeReadsTests {
  @Transactional(readOnly = true)
  static class Reads {
    public void openly() {}

    void withinThePackage() {}

    @Transactional
    void writes() {}
  }

  static class Others {
    void reads() {}
  }

  @Test
  void surroundsWhatOnlyReadsWhoeverMayCallIt() {
    var reads = new LargeReads();
    var surrounded =
        Stream.of(Reads.class, Others.class)
            .flatMap(type -> Stream.of(type.getDeclaredMethods()))
            .filter(it -> reads.matches(it, it.getDeclaringClass()))
            .map(it -> it.getName());
    assertThat(surrounded).containsExactlyInAnyOrder("openly", "withinThePackage");
  }
}
