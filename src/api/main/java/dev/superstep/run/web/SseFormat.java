package dev.superstep.run.web;

import dev.superstep.problem.Query;
import dev.superstep.run.RunQueries;
import dev.superstep.run.stream.CommitReader;
import dev.superstep.run.stream.EventSink;
import dev.superstep.schedule.DatabaseClock;
import java.io.OutputStream;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/// The format of the streams of this API.
@Component
class SseFormat {
  private final JsonMapper json;
  private final DatabaseClock clock;
  private final CommitReader commits;

  SseFormat(JsonMapper json, DatabaseClock clock, RunQueries queries) {
    this.json = json;
    this.clock = clock;
    this.commits = new CommitReader(queries);
  }

  /// With the contents that the call wants.
  Function<OutputStream, EventSink> of(Query query) {
    var with = Contents.of(query);
    return out -> new SseWriter(json, clock, commits, with, out);
  }
}
