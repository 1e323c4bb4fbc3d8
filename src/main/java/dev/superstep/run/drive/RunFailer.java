package dev.superstep.run.drive;

import dev.superstep.checkpoint.codec.HeadCodec;
import dev.superstep.checkpoint.event.EventLog;
import dev.superstep.checkpoint.interrupt.Interrupts;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunError;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Fails claimed runs that must not or cannot be driven; a person can resume them.
@Component
public class RunFailer {
  private final JdbcClient jdbc;
  private final Interrupts interrupts;
  private final EventLog events;

  RunFailer(JdbcClient jdbc, Interrupts interrupts, EventLog events) {
    this.jdbc = jdbc;
    this.interrupts = interrupts;
    this.events = events;
  }

  /// Fails the run, or cancels it if that was asked for.
  ///
  /// @throws LeaseLostException if the run was claimed again since
  @Transactional
  public void fail(Lease lease, RunError error) {
    var status =
        jdbc.sql(
                """
                update run
                   set owner = null, takeovers = 0, finished_at = clock_timestamp(),
                       status = case when cancel_requested_at is null
                                     then 'failed' else 'cancelled' end,
                       error = case when cancel_requested_at is null then :error::bytea end
                 where id = :run and lease_epoch = :epoch
                returning status
                """)
            .param("run", lease.run())
            .param("epoch", lease.epoch())
            .param("error", HeadCodec.bytes(error))
            .query(String.class)
            .optional()
            .orElseThrow(() -> new LeaseLostException(lease));
    if (status.equals("cancelled")) {
      interrupts.cancel(lease.run());
      events.append(lease.run(), List.of(Event.of("run.cancelled", ObjectValue.empty())));
      return;
    }
    var data =
        ObjectValue.of("code", Value.of(error.error().code()))
            .plus("message", Value.of(error.error().message()));
    events.append(lease.run(), List.of(Event.of("run.failed", data)));
  }
}
