package dev.superstep.checkpoint;

import dev.superstep.database.Pools;
import dev.superstep.definition.type.ResultCache;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Results in the database. A row goes with the run that made it: whatever is erased with that run
/// is not found in others' cache.
@Component
final class StoredResults implements ResultCache {
  private static final String FIND =
      "select message, content from cached_result where key = :key and expires_at >"
          + " clock_timestamp()";

  private static final String KEEP =
      """
      insert into cached_result (key, run, message, content, expires_at)
      select :key, id, :message, :content, clock_timestamp() + :ttl * interval '1 millisecond'
        from run where id = :run
          on conflict (key) do update
         set run = excluded.run, message = excluded.message, content = excluded.content,
             expires_at = excluded.expires_at
      """;

  private final JdbcClient jdbc;
  private final Retries retries;
  private final MeterRegistry meters;

  StoredResults(@Qualifier(Pools.ENGINE) JdbcClient jdbc, Retries retries, MeterRegistry meters) {
    this.jdbc = jdbc;
    this.retries = retries;
    this.meters = meters;
  }

  private record CachedContent(String message, byte[] content) {}

  @Override
  public Optional<NodeResult> find(NodeCall call, String key) throws InterruptedException {
    var found =
        retried(
            call,
            () ->
                jdbc.sql(FIND)
                    .param("key", key)
                    .query((row, _) -> new CachedContent(row.getString(1), row.getBytes(2)))
                    .optional());
    meters
        .counter(
            "superstep.cache.lookups",
            "node_type",
            call.task().node().type(),
            "result",
            found.isPresent() ? "hit" : "miss")
        .increment();
    return found.map(it ->
        ResultCodec.read(
            renamed(StoredObject.value(it.content()), it.message(), call.messageId())));
  }

  @Override
  public void keep(NodeCall call, String key, NodeResult result, Duration ttl)
      throws InterruptedException {
    int _ =
        retried(
            call,
            () ->
                jdbc.sql(KEEP)
                    .param("key", key)
                    .param("run", call.run().id())
                    .param("message", call.messageId())
                    .param("content", StoredObject.bytes(ResultCodec.write(result)))
                    .param("ttl", ttl.toMillis())
                    .update());
  }

  /// A channel of messages would take one that has the id of another for a change of that.
  private static Value renamed(Value value, String from, String to) {
    return switch (value) {
      case Value.Text(var text) when text.equals(from) -> Value.of(to);
      case ListValue list -> ListValue.of(list.stream().map(it -> renamed(it, from, to)).toList());
      case ObjectValue object -> {
        var all = ObjectValue.empty();
        for (var member : object.asMap().entrySet()) {
          all = all.plus(member.getKey(), renamed(member.getValue(), from, to));
        }
        yield all;
      }
      case Value it -> it;
    };
  }

  private <T> T retried(NodeCall call, Supplier<T> statement) throws InterruptedException {
    try {
      return retries.run(() -> "results kept for run '%s'".formatted(call.run().id()), statement);
    } catch (StoreUnavailableException e) {
      if (Thread.interrupted()) {
        throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
      }
      throw e;
    }
  }
}
