package dev.superstep.run.web;

import dev.superstep.http.Listing;
import dev.superstep.http.Located;
import dev.superstep.http.Paged;
import dev.superstep.http.Waits;
import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.run.RunPart;
import dev.superstep.run.RunProgress;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.trace.Traceparents;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Serves the calls that start, read, list and delete runs.
@Tag(name = "Runs", description = "Start, look at, continue and end runs")
@RestController
@RequestMapping(path = "/v1/runs", produces = MediaType.APPLICATION_JSON_VALUE)
class RunController {
  private final RunService runs;
  private final RunQueries queries;
  private final RunAnswers answers;
  private final Idempotency idempotency;
  private final Traceparents traces;

  RunController(
      RunService runs,
      RunQueries queries,
      RunAnswers answers,
      Idempotency idempotency,
      Traceparents traces) {
    this.runs = runs;
    this.queries = queries;
    this.answers = answers;
    this.idempotency = idempotency;
    this.traces = traces;
  }

  @Requires(ApiScope.RUN)
  @Operation(
      operationId = "startRun",
      summary = "Start a run of a stored graph",
      description =
          "The run and its input are on disk before the answer comes. With a header"
              + " `traceparent` (W3C) the run is part of that trace, and passes it on.")
  @ApiResponse(responseCode = "202", description = "Stored and queued", useReturnTypeSchema = true)
  @ApiResponse(
      responseCode = "200",
      description = "With `wait`: the run is at rest",
      useReturnTypeSchema = true)
  @Idempotent
  @Located
  @Waits
  @Fails({
    ErrorCode.GRAPH_NOT_FOUND,
    ErrorCode.VERSION_NOT_FOUND,
    ErrorCode.CHECKPOINT_NOT_FOUND,
    ErrorCode.THREAD_BUSY,
    ErrorCode.RUN_EXISTS,
    ErrorCode.INVALID_INPUT,
    ErrorCode.LIMIT_EXCEEDED,
    ErrorCode.QUOTA_EXCEEDED,
    ErrorCode.RUN_QUOTA_EXCEEDED,
    ErrorCode.STORAGE_QUOTA_EXCEEDED,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<RunBody> start(
      @RequestBody StartRunBody body,
      @RequestHeader(name = "traceparent", required = false) @Parameter(hidden = true)
          @Nullable String traceparent,
      IdempotencyKey key,
      Query query) {
    var request = body.read().within(traces.of(traceparent));
    query.waiting();
    var checked = runs.check(request);
    var progress = new AtomicReference<@Nullable RunProgress>();
    var storedAnswer =
        idempotency.once(
            key,
            () -> {
              var started = runs.start(checked, _ -> {});
              started.progress().ifPresent(progress::set);
              return new StoredAnswer(
                  HttpStatus.ACCEPTED.value(), started.run(), started.replayed());
            });
    return answers.started(storedAnswer, query, Optional.ofNullable(progress.get()));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "searchRuns", summary = "Search runs, newest first")
  @ApiResponse(responseCode = "200", description = "Some runs", useReturnTypeSchema = true)
  @Paged
  @Parameter(
      in = ParameterIn.QUERY,
      name = "graph",
      description = "Name of the graph",
      schema = @Schema(type = "string"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "status",
      description = "One of these; may be repeated",
      array =
          @ArraySchema(
              schema =
                  @Schema(
                      type = "string",
                      allowableValues = {
                        "queued",
                        "running",
                        "waiting",
                        "interrupted",
                        "failed",
                        "cancelling",
                        "succeeded",
                        "cancelled"
                      })))
  @Parameter(in = ParameterIn.QUERY, name = "thread_id", schema = @Schema(type = "string"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "parent",
      description = "Only runs that tasks of this run have begun",
      schema = @Schema(type = "string"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "error_code",
      description = "Only runs that have failed with this code",
      schema = @Schema(type = "string", example = "sold_out"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "metadata",
      description = "`<key>:<value>`; repeated: all of them",
      array = @ArraySchema(schema = @Schema(type = "string", example = "customer:c-17")))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "created_after",
      description = "Only runs that were created later than this",
      schema = @Schema(type = "string", format = "date-time"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "created_before",
      description = "Only runs that were created earlier than this",
      schema = @Schema(type = "string", format = "date-time"))
  @GetMapping
  Listing<RunSummaryBody> search(Query query) {
    var page = queries.search(RunSearch.filter(query), RunSearch.page(query));
    return Listing.of(page.items().stream().map(RunSummaryBody::new).toList(), page.next());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getRun", summary = "Look at a run")
  @ApiResponse(responseCode = "200", description = "The run", useReturnTypeSchema = true)
  @Waits
  @Parameter(
      in = ParameterIn.QUERY,
      name = "without",
      description =
          "What the run comes without, to be read faster: `input`, `output`, or both with a comma",
      schema = @Schema(type = "string", example = "input,output"))
  @Fails({ErrorCode.RUN_NOT_FOUND, ErrorCode.STORED_BY_NEWER_RELEASE})
  @GetMapping("/{id}")
  RunBody get(@PathVariable String id, Query query) {
    var without = query.listOf("without", RunPart.values(), RunPart::apiName);
    return new RunBody(answers.read(id, without, query), without);
  }

  @Requires(ApiScope.OPERATE)
  @Operation(
      operationId = "deleteRun",
      summary = "Erase a run that is not active",
      description =
          "Its checkpoints, tasks, interrupts and events go with it. A thread goes with its last"
              + " run.")
  @ApiResponse(responseCode = "204", description = "Erased")
  @Fails({ErrorCode.RUN_NOT_FOUND, ErrorCode.RUN_ACTIVE})
  @DeleteMapping(path = "/{id}", produces = MediaType.ALL_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable String id) {
    runs.delete(id);
  }
}
