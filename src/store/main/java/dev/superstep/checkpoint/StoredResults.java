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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Results in the database. A row goes with the run that made it: whatever is erased with that run
/// is not found in others' cache.
@Component
final class StoredResults implements ResultCache {
  private static final Logger log = LoggerFactory.getLogger(StoredResults.class);

  private static final String FIND =
      "select message, content from cached_result where key = :key and expires_at >"
          + " clock_timestamp()";

  /// Removes others that are over as well.
  private static final String KEEP =
      """
      with over as (
        delete from cached_result where key in (
          select key from cached_result
           where expires_at < clock_timestamp() and key <> :key
           order by expires_at limit 10 for update skip locked))
      insert into cached_result (key, run, message, content, expires_at)
      select :key, id, :message, :content, clock_timestamp() + :ttl * interval '1 millisecond'
        from run where id = :run
          on conflict (key) do update
         set run = excluded.run, message = excluded.message, content = excluded.content,
             expires_at = excluded.expires_at
      """;

  private final JdbcClient jdbc;
  private final MeterRegistry meters;

  StoredResults(@Qualifier(Pools.ENGINE) JdbcClient jdbc, MeterRegistry meters) {
    this.jdbc = jdbc;
    this.meters = meters;
  }

  private record CachedContent(String message, byte[] content) {}

  @Override
  public Optional<NodeResult> find(NodeCall call, String key) {
    var found = read(call, key);
    meters
        .counter(
            "superstep.cache.lookups",
            "node_type",
            call.task().node().type(),
            "result",
            found.isPresent() ? "hit" : "miss")
        .increment();
    return found;
  }

  private Optional<NodeResult> read(NodeCall call, String key) {
    try {
      return jdbc.sql(FIND)
          .param("key", key)
          .query((row, _) -> new CachedContent(row.getString(1), row.getBytes(2)))
          .optional()
          .map(it -> ResultCodec.read(named(it, call.messageId())));
    } catch (RuntimeException e) {
      log.warn("A kept result of run '{}' cannot be read; its node is called", call.run().id(), e);
      return Optional.empty();
    }
  }

  /// The node has been called: whatever becomes of this, its task is done.
  @Override
  public void keep(NodeCall call, String key, NodeResult result, Duration ttl) {
    try {
      int _ =
          jdbc.sql(KEEP)
              .param("key", key)
              .param("run", call.run().id())
              .param("message", call.messageId())
              .param("content", StoredObject.bytes(ResultCodec.write(result)))
              .param("ttl", ttl.toMillis())
              .update();
    } catch (RuntimeException e) {
      log.warn("A result of run '{}' is not kept for others", call.run().id(), e);
    }
  }

  private static Value named(CachedContent kept, String message) {
    var value = StoredObject.value(kept.content());
    return kept.message().equals(message) ? value : renamed(value, kept.message(), message);
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
}
