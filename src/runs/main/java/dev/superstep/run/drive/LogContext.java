package dev.superstep.run.drive;

import dev.superstep.run.drive.RunClaims.Claim;
import java.util.Map;
import org.slf4j.MDC;

/// Says in each line of the log which run it is about: structured logs have these as fields.
final class LogContext implements AutoCloseable {
  static final String RUN = "run_id";
  static final String GRAPH = "graph";
  static final String THREAD = "thread_id";

  /// The name under which Spring Boot's tracing puts it, too.
  static final String TRACE = "traceId";

  /// `00-<trace>-<span>-<flags>`.
  private static final int TRACE_FROM = 3;

  private static final int TRACE_TO = 35;

  private LogContext() {}

  /// What this thread logs until it is closed is about the run of `claim`.
  public static LogContext of(Claim claim) {
    MDC.put(RUN, claim.lease().run());
    MDC.put(GRAPH, claim.header().graph());
    claim.thread().ifPresent(it -> MDC.put(THREAD, it));
    claim
        .header()
        .traceparent()
        .filter(it -> it.length() > TRACE_TO)
        .ifPresent(it -> MDC.put(TRACE, it.substring(TRACE_FROM, TRACE_TO)));
    return new LogContext();
  }

  /// What `work` logs on a thread of its own is about what the calling thread works on.
  public static Runnable carried(Runnable work) {
    Map<String, String> context = MDC.getCopyOfContextMap();
    if (context == null || context.isEmpty()) {
      return work;
    }
    return () -> {
      MDC.setContextMap(context);
      work.run();
    };
  }

  @Override
  public void close() {
    MDC.clear();
  }
}
