package dev.superstep.run.drive;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.run.drive.RunClaims.Claim;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

class LogContextTests {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  /// What an operator gets with `logging.structured.format.console`.
  @ParameterizedTest
  @ValueSource(strings = {"ecs", "logstash"})
  void writesRunThreadAndTraceIntoEachLineOfAStructuredLog(String format) {
    Value line;
    try (var _ = LogContext.of(claim())) {
      line = Json.read(line(format));
    }

    assertThat(Pointer.find(line, "/message")).contains(Value.of("hello"));
    assertThat(Pointer.find(line, "/run_id")).contains(Value.of("r1"));
    assertThat(Pointer.find(line, "/graph")).contains(Value.of("report"));
    assertThat(Pointer.find(line, "/thread_id")).contains(Value.of("t1"));
    assertThat(Pointer.find(line, "/traceId")).contains(Value.of(TRACE));
  }

  @Test
  void leavesNothingBehind() {
    try (var _ = LogContext.of(claim())) {
      assertThat(MDC.get(LogContext.RUN)).isEqualTo("r1");
    }

    assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
  }

  @Test
  void isCarriedToTheThreadsOfTasks() throws InterruptedException {
    var seen = new AtomicReference<String>();
    Runnable work;
    try (var _ = LogContext.of(claim())) {
      work = LogContext.carried(() -> seen.set(MDC.get(LogContext.RUN)));
    }

    Thread.ofVirtual().start(work).join();

    assertThat(seen).hasValue("r1");
  }

  private static String line(String format) {
    var context = new LoggerContext();
    context.setMDCAdapter(((LoggerContext) LoggerFactory.getILoggerFactory()).getMDCAdapter());
    context.putObject(Environment.class.getName(), new MockEnvironment());
    var encoder = new StructuredLogEncoder();
    encoder.setContext(context);
    encoder.setFormat(format);
    encoder.start();
    var event =
        new LoggingEvent(
            LogContextTests.class.getName(),
            context.getLogger("dev.superstep"),
            Level.INFO,
            "hello",
            null,
            null);
    return new String(encoder.encode(event), StandardCharsets.UTF_8);
  }

  private static Claim claim() {
    return new Claim(
        new RunHeader(
            "r1",
            BirthId.ofRun("r1"),
            "report",
            1,
            1,
            ObjectValue.empty(),
            ObjectValue.empty(),
            Optional.of("00-" + TRACE + "-00f067aa0ba902b7-01")),
        new Lease("r1", 1),
        0,
        RunStatus.QUEUED,
        Optional.empty(),
        Optional.empty(),
        Optional.of("t1"),
        "anybody");
  }
}
