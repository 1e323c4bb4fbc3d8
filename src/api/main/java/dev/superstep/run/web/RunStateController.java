package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.prompt.ContextFailure;
import dev.superstep.prompt.ContextItem;
import dev.superstep.run.NodeContextView;
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
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
  @Operation(operationId = "getRunState")
  @QueryParameters({"checkpoint", "pending", "channel"})
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
  @Operation(operationId = "getRunContext")
  @QueryParameters("checkpoint")
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
  @Operation(operationId = "getNodeContext")
  @QueryParameters({"node", "dispatch_id"})
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
  @Operation(operationId = "listCheckpoints")
  @Paged
  @QueryParameters("superstep")
  @Fails({ErrorCode.RUN_NOT_FOUND, ErrorCode.STORED_BY_NEWER_RELEASE})
  @GetMapping("/runs/{id}/checkpoints")
  Listing<CheckpointSummaryBody> checkpoints(@PathVariable String id, Query query) {
    var page = queries.checkpoints(id, number("superstep", query), RunSearch.page(query));
    return Listing.of(page.items().stream().map(CheckpointSummaryBody::new).toList(), page.next());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getCheckpoint")
  @ValuesMax
  @QueryParameters("without")
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
  @Operation(operationId = "countTasks")
  @QueryParameters({"after", "cursor"})
  @Fails({ErrorCode.RUN_NOT_FOUND, ErrorCode.STORED_BY_NEWER_RELEASE})
  @GetMapping("/runs/{id}/nodes")
  NodeCountsBody nodes(@PathVariable String id, Query query) {
    return new NodeCountsBody(
        queries.nodes(id, number("after", query).orElse(-1), query.text("cursor")));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listTasks")
  @QueryParameters({"superstep", "node", "status", "limit", "cursor", "dispatch_id", "without"})
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

  /// The prompt context of one task, with the reason for each item.
  record NodeContextBody(
      int checkpoint,
      @JsonProperty("task_id") String taskId,
      @JsonProperty("context_type") String contextType,
      List<WayBody> ways,
      ContextBody context,
      List<ContextItem> items,
      List<ContextFailure> failures) {

    public static NodeContextBody of(NodeContextView view) {
      var explained = view.explained();
      return new NodeContextBody(
          view.checkpoint(),
          explained.task().toString(),
          explained.type(),
          explained.origins().stream().map(WayBody::of).toList(),
          ContextBody.of(explained.context()),
          explained.items().stream().map(ContextItem::of).toList(),
          explained.failures().stream().map(ContextFailure::of).toList());
    }

    @Schema(name = "ContextWay")
    record WayBody(
        @Nullable String edge, @JsonProperty("source_task") @Nullable String sourceTask) {
      static WayBody of(ActivationOrigin activationOrigin) {
        var source = activationOrigin.source();
        return new WayBody(
            activationOrigin.edge().equals(ActivationOrigin.NO_EDGE)
                ? null
                : activationOrigin.edge(),
            source == null ? null : source.toString());
      }
    }
  }
}
