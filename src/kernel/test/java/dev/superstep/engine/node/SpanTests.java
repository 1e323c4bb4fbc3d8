package dev.superstep.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.Span.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpanTests {

  /// Callers need not ask whether tracing is enabled.
  @Test
  void recordsNothingWhereTracingIsDisabled() {
    var span = Span.NONE;

    span.setAttribute("text", "a");
    span.setAttribute("whole", 1);
    span.setAttribute("fraction", 0.5);
    span.setAttribute("texts", List.of("a"));
    span.fail("code");
    span.end();

    assertThat(span.superstep(1)).isSameAs(span);
    assertThat(span.begin("call", Kind.CLIENT)).isSameAs(span);
    assertThat(span.isRecorded()).isFalse();
    assertThat(span.takesContent()).isFalse();
    assertThat(span.traceparent()).isEmpty();
  }

  @Test
  void passesTheClientsTraceOn() {
    assertThat(new Span.Passing(Optional.of("00-1-2-01")).traceparent()).contains("00-1-2-01");
  }
}
