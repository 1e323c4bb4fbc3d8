package dev.superstep.run.check;

import dev.superstep.definition.ServerLimits;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Violations;
import dev.superstep.problem.DurationText;
import dev.superstep.problem.ErrorCode;
import java.time.Duration;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Checks that the limits a client asks for are within those of the server (E14, E15).
@Component
public class LimitChecks {
  private final ServerLimits server;

  LimitChecks(ServerLimits server) {
    this.server = server;
  }

  public void check(Limits requested, String pointer, Violations violations) {
    var at = pointer + "/";
    number(requested.superstepsMax(), server.superstepsMax(), at + "max_supersteps", violations);
    number(requested.concurrencyMax(), server.concurrencyMax(), at + "max_concurrency", violations);
    number(requested.dispatchesMax(), server.dispatchesMax(), at + "max_dispatches", violations);
    number(requested.modelCallsMax(), Integer.MAX_VALUE, at + "max_model_calls", violations);
    number(requested.tokensMax(), Long.MAX_VALUE, at + "max_tokens", violations);
    timeout(requested.timeout(), at + "timeout", violations);
  }

  private static void number(
      Optional<? extends Number> requested, long max, String pointer, Violations violations) {
    requested
        .map(Number::longValue)
        .filter(it -> it < 1 || it > max)
        .ifPresent(it ->
            violations.error(
                pointer,
                (it < 1 ? ErrorCode.INVALID_VALUE : ErrorCode.LIMIT_EXCEEDED).code(),
                "must be from 1 to %d, the limit of this server".formatted(max)));
  }

  private void timeout(Optional<Duration> requested, String pointer, Violations violations) {
    var max = server.timeoutMax();
    requested
        .filter(it -> !it.isPositive() || it.compareTo(max) > 0)
        .ifPresent(it ->
            violations.error(
                pointer,
                (it.isPositive() ? ErrorCode.LIMIT_EXCEEDED : ErrorCode.INVALID_VALUE).code(),
                "must be positive and at most %s, the limit of this server"
                    .formatted(DurationText.write(max))));
  }
}
