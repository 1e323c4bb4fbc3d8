package dev.superstep.run.web;

import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.Page;
import dev.superstep.run.RunQueries;
import dev.superstep.run.TaskFilter;
import dev.superstep.run.TaskPart;
import dev.superstep.run.TaskView;
import dev.superstep.run.web.CheckpointBody.CheckpointPart;
import dev.superstep.run.web.StateBody.StateValues;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Serves the calls that read state, checkpoints, contexts and tasks of a run.
@Tag(name = "State", description = "What runs have computed, superstep by superstep")
@RestController
@RequestMapping(path = "/v1", produces = MediaType.APPLICATION_JSON_VALUE)
class RunStateController {
  /// Tasks without what may be large take some 300 bytes each.
  private static final int SLIM_MAX = 2_000;

  private final RunQueries queries;

  RunStateController(RunQueries queries) {
    this.queries = queries;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getRunState", summary = "Read the committed state of a run")
  @ApiResponse(responseCode = "200", description = "The state", useReturnTypeSchema = true)
  @Parameter(
      in = ParameterIn.QUERY,
      name = "checkpoint",
      description = "Absent: the last",
      schema = @Schema(type = "integer", minimum = "0"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "pending",
      description = "Whether to add the held results of a held superstep",
      schema = @Schema(type = "boolean", defaultValue = "false"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "channel",
      description = "Only these channels; may be repeated",
      array = @ArraySchema(schema = @Schema(type = "string", example = "findings")))
  @ValuesMax
  @Fails({
    ErrorCode.RUN_NOT_FOUND,
    ErrorCode.CHECKPOINT_NOT_FOUND,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @GetMapping("/runs/{id}/state")
  StateBody state(@PathVariable String id, Query query) {
    var pending = query.flag("pending").orElse(false);
    var view = queries.state(id, number("checkpoint", query));
    var wanted = StateValues.of(query);
    return pending ? StateBody.withPending(view, wanted) : StateBody.committed(view, wanted);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getRunContext", summary = "Read the prompt context of a run")
  @ApiResponse(responseCode = "200", description = "The context", useReturnTypeSchema = true)
  @Parameter(
      in = ParameterIn.QUERY,
      name = "checkpoint",
      description = "Absent: the last",
      schema = @Schema(type = "integer", minimum = "0"))
  @Fails({
    ErrorCode.RUN_NOT_FOUND,
    ErrorCode.CHECKPOINT_NOT_FOUND,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @GetMapping("/runs/{id}/context")
  ContextBody context(@PathVariable String id, Query query) {
    return ContextBody.of(queries.context(id, number("checkpoint", query)));
  }

  @Requires(ApiScope.READ)
  @Operation(
      operationId = "getNodeContext",
      summary = "Read what a node receives of the prompt context, and why",
      description =
          "A task that the checkpoint activates, or one of the superstep that it commits. Of every"
              + " variable, metadata key and history entry it says which rule kept or dropped it.")
  @ApiResponse(responseCode = "200", description = "What it receives", useReturnTypeSchema = true)
  @Parameter(
      in = ParameterIn.QUERY,
      name = "node",
      required = true,
      schema = @Schema(type = "string"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "dispatch_id",
      description = "Absent: a plain activation",
      schema = @Schema(type = "string"))
  @Fails({
    ErrorCode.RUN_NOT_FOUND,
    ErrorCode.CHECKPOINT_NOT_FOUND,
    ErrorCode.TASK_NOT_FOUND,
    ErrorCode.CONTEXT_UNAVAILABLE,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @GetMapping("/runs/{id}/checkpoints/{number}/context")
  NodeContextBody nodeContext(@PathVariable String id, @PathVariable int number, Query query) {
    var node =
        query
            .text("node")
            .orElseThrow(
                () -> ServiceException.at("?node", ErrorCode.INVALID_PARAMETER, "say which node"));
    return NodeContextBody.of(queries.nodeContext(id, number, node, query.text("dispatch_id")));
  }

  @Requires(ApiScope.READ)
  @Operation(
      operationId = "listCheckpoints",
      summary = "List the checkpoints of a run, newest first")
  @ApiResponse(responseCode = "200", description = "Some checkpoints", useReturnTypeSchema = true)
  @Paged
  @Parameter(
      in = ParameterIn.QUERY,
      name = "superstep",
      schema = @Schema(type = "integer", minimum = "0"))
  @Fails({ErrorCode.RUN_NOT_FOUND, ErrorCode.STORED_BY_NEWER_RELEASE})
  @GetMapping("/runs/{id}/checkpoints")
  Listing<CheckpointSummaryBody> checkpoints(@PathVariable String id, Query query) {
    var page = queries.checkpoints(id, number("superstep", query), RunSearch.page(query));
    return Listing.of(page.items().stream().map(CheckpointSummaryBody::new).toList(), page.next());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getCheckpoint", summary = "Read a checkpoint")
  @ApiResponse(responseCode = "200", description = "The checkpoint", useReturnTypeSchema = true)
  @ValuesMax
  @Parameter(
      in = ParameterIn.QUERY,
      name = "without",
      description = "What the checkpoint comes without, to be read faster: `changes`",
      schema = @Schema(type = "string", example = "changes"))
  @Fails({
    ErrorCode.RUN_NOT_FOUND,
    ErrorCode.CHECKPOINT_NOT_FOUND,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @GetMapping("/runs/{id}/checkpoints/{number}")
  CheckpointBody checkpoint(@PathVariable String id, @PathVariable int number, Query query) {
    var without = query.listOf("without", CheckpointPart.values(), CheckpointPart::apiName);
    return new CheckpointBody(queries.checkpoint(id, number), StateValues.of(query), without);
  }

  @Requires(ApiScope.READ)
  @Operation(
      operationId = "countTasks",
      summary = "Count the tasks of a run by node and status",
      description =
          "An answer has up to 2,000 supersteps or some 20,000 tasks, newest first: add up those"
              + " behind `next_cursor`. What is committed does not change: later, ask with `after`"
              + " for what has come since.")
  @ApiResponse(responseCode = "200", description = "The counts", useReturnTypeSchema = true)
  @Parameter(
      in = ParameterIn.QUERY,
      name = "after",
      description = "Only supersteps behind this one; absent: all",
      schema = @Schema(type = "integer", minimum = "0"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "cursor",
      description = "`next_cursor` of the answer before",
      schema = @Schema(type = "string"))
  @Fails({ErrorCode.RUN_NOT_FOUND, ErrorCode.STORED_BY_NEWER_RELEASE})
  @GetMapping("/runs/{id}/nodes")
  NodeCountsBody nodes(@PathVariable String id, Query query) {
    return new NodeCountsBody(
        queries.nodes(id, number("after", query).orElse(-1), query.text("cursor")));
  }

  @Requires(ApiScope.READ)
  @Operation(
      operationId = "listTasks",
      summary = "List the tasks of a run",
      description =
          "Newest superstep first, in task order within one. Without `input` and `change` an answer"
              + " has up to 2,000 tasks.")
  @ApiResponse(responseCode = "200", description = "Some tasks", useReturnTypeSchema = true)
  @Parameter(
      in = ParameterIn.QUERY,
      name = "superstep",
      schema = @Schema(type = "integer", minimum = "0"))
  @Parameter(in = ParameterIn.QUERY, name = "node", schema = @Schema(type = "string"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "status",
      schema =
          @Schema(
              type = "string",
              allowableValues = {
                "running",
                "waiting",
                "succeeded",
                "handled",
                "failed",
                "interrupted",
                "cancelled"
              }))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "limit",
      description = "How many items to answer with at most; up to 200 with `input` or `change`",
      schema = @Schema(type = "integer", minimum = "1", maximum = "2000", defaultValue = "50"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "cursor",
      description = "`next_cursor` of the answer before",
      schema = @Schema(type = "string"))
  @Parameter(in = ParameterIn.QUERY, name = "dispatch_id", schema = @Schema(type = "string"))
  @Parameter(
      in = ParameterIn.QUERY,
      name = "without",
      description =
          "What the tasks come without, to be read faster: `input`, `change` (and `compacted`), or"
              + " both with a comma",
      schema = @Schema(type = "string", example = "input,change"))
  @Fails({ErrorCode.RUN_NOT_FOUND, ErrorCode.STORED_BY_NEWER_RELEASE})
  @GetMapping("/runs/{id}/tasks")
  Listing<TaskBody> tasks(@PathVariable String id, Query query) {
    var filter =
        new TaskFilter(
            number("superstep", query),
            query.text("node"),
            query.text("dispatch_id"),
            query.oneOf("status", TaskView.Status.values(), TaskView.Status::apiName),
            query.listOf("without", TaskPart.values(), TaskPart::apiName));
    var limit = query.limit(filter.isSlim() ? SLIM_MAX : Query.LIMIT_MAX);
    var page = queries.tasks(id, filter, new Page.Request(query.cursor(), limit));
    return Listing.of(
        page.items().stream().map(it -> new TaskBody(it, filter.without())).toList(), page.next());
  }

  private static Optional<Integer> number(String name, Query query) {
    return query.integer(name, 0, Integer.MAX_VALUE);
  }
}
