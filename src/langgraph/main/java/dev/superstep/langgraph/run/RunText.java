package dev.superstep.langgraph.run;

import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.langgraph.run.RunCall.Launched;
import dev.superstep.langgraph.run.RunCalls.CalledRun;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;

/// Writes runs as clients of this API read them.
final class RunText {
  private RunText() {}

  /// Says where a new run is, and where its stream goes on: as clients expect it, without the
  /// prefix of this API, which they add.
  static void locate(RunCall call, HttpServletResponse response) {
    var thread = call.thread().map(Tenant::shown).map("/threads/%s"::formatted).orElse("");
    var run = thread + "/runs/" + Tenant.shown(call.id());
    response.setHeader(HttpHeaders.CONTENT_LOCATION, run);
    response.setHeader(HttpHeaders.LOCATION, run + "/stream");
  }

  /// As the answers of `/v1`, says whether the call was repeated.
  static void locate(Launched launched, HttpServletResponse response) {
    locate(launched.call(), response);
    if (launched.replayed()) {
      response.setHeader(StoredAnswer.REPLAYED, "true");
    }
  }

  static ObjectValue of(CalledRun found, String status) {
    var call = found.call();
    var times = found.run().times();
    var updated =
        call.until().isEmpty()
            ? times.finishedAt().or(times::startedAt).orElse(times.createdAt())
            : call.createdAt();
    return ObjectValue.builder()
        .put("run_id", Tenant.shown(call.id()))
        .put("thread_id", Tenant.shown(found.thread()))
        .put("assistant_id", Tenant.shown(call.options().assistant()))
        .put("status", status)
        .put("metadata", call.options().metadata())
        .put("kwargs", call.options().kwargs())
        .put("multitask_strategy", call.options().strategy())
        .put("created_at", call.createdAt().toString())
        .put(
            "updated_at",
            Value.of((updated.isBefore(call.createdAt()) ? call.createdAt() : updated).toString()))
        .build();
  }
}
