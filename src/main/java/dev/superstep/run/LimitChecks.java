package dev.superstep.run;

import dev.superstep.graph.Limits;
import dev.superstep.http.DurationText;
import dev.superstep.problem.ErrorCode;
import java.time.Duration;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Whether the limits a client asks for are within those of the server (E14, E15).
@Component
class LimitChecks {
  private final LimitSettings server;

  LimitChecks(LimitSettings server) {
    this.server = server;
  }

  void check(Limits asked, String pointer, Complaints complaints) {
    var at = pointer + "/";
    number(asked.superstepsMax(), server.supersteps().max(), at + "max_supersteps", complaints);
    number(asked.concurrencyMax(), server.concurrencyMax(), at + "max_concurrency", complaints);
    number(asked.dispatchesMax(), server.dispatches().runMax(), at + "max_dispatches", complaints);
    number(asked.modelCallsMax(), Integer.MAX_VALUE, at + "max_model_calls", complaints);
    number(asked.tokensMax(), Long.MAX_VALUE, at + "max_tokens", complaints);
    timeout(asked.timeout(), at + "timeout", complaints);
  }

  private static void number(
      Optional<? extends Number> asked, long max, String pointer, Complaints complaints) {
    asked
        .map(Number::longValue)
        .filter(it -> it < 1 || it > max)
        .ifPresent(it ->
            complaints.add(
                pointer,
                it < 1 ? ErrorCode.INVALID_VALUE : ErrorCode.LIMIT_EXCEEDED,
                "must be from 1 to %d, the limit of this server".formatted(max)));
  }

  private void timeout(Optional<Duration> asked, String pointer, Complaints complaints) {
    var max = server.timeout().max();
    asked
        .filter(it -> !it.isPositive() || it.compareTo(max) > 0)
        .ifPresent(it ->
            complaints.add(
                pointer,
                it.isPositive() ? ErrorCode.LIMIT_EXCEEDED : ErrorCode.INVALID_VALUE,
                "must be positive and at most %s, the limit of this server"
                    .formatted(DurationText.write(max))));
  }
}
