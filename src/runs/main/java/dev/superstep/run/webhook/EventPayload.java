package dev.superstep.run.webhook;

import dev.superstep.checkpoint.row.StoredEvent;
import dev.superstep.json.Json;
import dev.superstep.run.RunPart;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunView;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/// Writes what webhooks are sent about the events of a run. The run is read once, for the first
/// body.
final class EventPayload {
  private final RunQueries runs;
  private final String run;
  private final ObjectValue meta;
  private final DataSize max;
  private @Nullable RunView read;

  EventPayload(RunQueries runs, String run, ObjectValue meta, DataSize max) {
    this.runs = runs;
    this.run = run;
    this.meta = meta;
    this.max = max;
  }

  byte[] of(StoredEvent stored) {
    var event = stored.event();
    var data = about(stored);
    if (!event.data().isEmpty()) {
      data = data.plus("event", event.data());
    }
    if (event.type().equals("run.succeeded")) {
      data = data.plus("output", view().output().orElse(Value.NULL));
    }
    var whole = bytes(stored, data);
    if (whole.length <= max.toBytes()) {
      return whole;
    }
    var cut = about(stored).plus("truncated", true);
    return bytes(stored, cut);
  }

  private ObjectValue about(StoredEvent stored) {
    var event = stored.event();
    var origin = view().summary().origin();
    var id = Tenant.shown(run);
    var data =
        ObjectValue.of("run_id", id)
            .plus("seq", stored.seq())
            .plus("graph", Tenant.shown(origin.graph()))
            .plus("version", (long) origin.version())
            .plus("url", "/v1/runs/" + id)
            .plus("metadata", metadata(origin.metadata()));
    if (origin.thread().isPresent()) {
      data = data.plus("thread_id", Tenant.shown(origin.thread().get()));
    }
    if (event.superstep().isPresent()) {
      data = data.plus("superstep", (long) event.superstep().get());
    }
    if (event.node().isPresent()) {
      data = data.plus("node", event.node().get().value());
    }
    return meta.isEmpty() ? data : data.plus("callback_meta", meta);
  }

  private static ObjectValue metadata(java.util.Map<String, String> texts) {
    var metadata = ObjectValue.builder();
    texts.forEach(metadata::put);
    return metadata.build();
  }

  private static byte[] bytes(StoredEvent stored, ObjectValue data) {
    return Json.write(
            ObjectValue.of("type", stored.event().type())
                .plus("timestamp", stored.at().toString())
                .plus("data", data))
        .getBytes(StandardCharsets.UTF_8);
  }

  private RunView view() {
    var known = read;
    if (known == null) {
      known = runs.run(run, Set.of(RunPart.INPUT));
      read = known;
    }
    return known;
  }
}
