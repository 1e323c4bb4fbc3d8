package dev.superstep.run.web;

import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.run.RunQueries;
import dev.superstep.run.stream.EventId;
import dev.superstep.run.stream.EventStreams;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Serves stored events of a run, as a page or as a stream.
@Tag(name = "Events", description = "What happened in runs")
@RestController
@RequestMapping("/v1/runs/{id}")
class EventController {
  private static final EventId BEGIN = new EventId(0, 0);

  private final RunQueries queries;
  private final EventStreams streams;
  private final SseFormat format;

  EventController(RunQueries queries, EventStreams streams, SseFormat format) {
    this.format = format;
    this.queries = queries;
    this.streams = streams;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listEvents")
  @Paged
  @QueryParameters({"after", "type"})
  @Fails(ErrorCode.RUN_NOT_FOUND)
  @GetMapping(path = "/events", produces = MediaType.APPLICATION_JSON_VALUE)
  Listing<EventBody> events(@PathVariable String id, Query query) {
    long after = query.integer("after", 0L, Long.MAX_VALUE).orElse(0L);
    long from = Math.max(after, query.cursor().map(it -> Cursor.read(it, 1).number(0)).orElse(0L));
    int limit = query.limit();
    var found = queries.events(id, from, new HashSet<>(query.all("type")), limit + 1);
    var shown = found.subList(0, Math.min(limit, found.size()));
    var next =
        found.size() > limit
            ? shown.getLast().seq().map(it -> Cursor.write(List.of(it.toString())))
            : Optional.<String>empty();
    return Listing.of(shown.stream().map(EventBody::of).toList(), next);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "streamEvents")
  @Streams
  @Fails({ErrorCode.RUN_NOT_FOUND, ErrorCode.STREAM_QUOTA_EXCEEDED, ErrorCode.OVERLOADED})
  @GetMapping(
      path = "/stream",
      produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
  void stream(
      @PathVariable String id,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEvent,
      Query query,
      HttpServletResponse response)
      throws IOException {
    var after = lastEvent == null ? BEGIN : EventId.read(lastEvent);
    var wanted = streams.wanted(after, query);
    var sink = format.of(query);
    queries.summary(id);
    if (lastEvent != null && streams.isOver(id, wanted)) {
      response.setStatus(HttpStatus.NO_CONTENT.value());
      return;
    }
    try (var permit = streams.acquire()) {
      permit.stream(id, wanted, response, sink);
    }
  }
}
