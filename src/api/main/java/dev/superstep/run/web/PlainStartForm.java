package dev.superstep.run.web;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunService;
import dev.superstep.run.StartRun;
import dev.superstep.run.trigger.StartForm;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Requests as `POST /v1/runs` takes them.
@Component
class PlainStartForm implements StartForm {
  private final JsonMapper json;
  private final RunService runs;

  PlainStartForm(JsonMapper json, RunService runs) {
    this.json = json;
    this.runs = runs;
  }

  @Override
  public String name() {
    return PLAIN;
  }

  String write(StartRunBody request) {
    return json.writeValueAsString(request);
  }

  @Override
  public Supplier<String> prepare(String text, String run, Map<String, String> metadata) {
    var request = read(text).named(run, metadata);
    var checked = runs.check(request);
    return () -> runs.start(checked, _ -> {}).run();
  }

  /// Makes sure that a run could start by this request now.
  StartRun requireAccepted(StartRunBody request) {
    var start = request.read();
    var _ = runs.check(start).accepted();
    return start;
  }

  private StartRun read(String text) {
    try {
      return json.readValue(text, StartRunBody.class).read();
    } catch (JacksonException e) {
      var failure =
          new ServiceException(
              ErrorCode.INVALID_REQUEST, "the stored request cannot be read by this release");
      failure.initCause(e);
      throw failure;
    }
  }
}
