package dev.superstep.run.web;

import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.Query;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.run.web.response.RunSummaryBody;
import dev.superstep.run.web.response.ThreadBody;
import dev.superstep.run.web.response.ThreadSummaryBody;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Serves the calls that read, list and delete threads.
@Tag(name = "Threads", description = "Conversations: runs that go on from each other")
@RestController
@RequestMapping(path = "/v1/threads", produces = MediaType.APPLICATION_JSON_VALUE)
class ThreadController {
  private final RunQueries queries;
  private final RunService runs;

  ThreadController(RunQueries queries, RunService runs) {
    this.queries = queries;
    this.runs = runs;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listThreads", summary = "List conversations, newest first")
  @ApiResponse(responseCode = "200", description = "Some threads", useReturnTypeSchema = true)
  @Paged
  @GetMapping
  Listing<ThreadSummaryBody> list(Query query) {
    var page = queries.threads(RunSearch.page(query));
    return Listing.of(page.items().stream().map(ThreadSummaryBody::of).toList(), page.next());
  }

  @Requires(ApiScope.READ)
  @Operation(
      operationId = "getThread",
      summary = "Look at a conversation",
      description =
          "Its state is that of its newest committed checkpoint, however the run ended; a run that"
              + " was rolled back does not count.")
  @ApiResponse(responseCode = "200", description = "The thread", useReturnTypeSchema = true)
  @Fails({ErrorCode.THREAD_NOT_FOUND, ErrorCode.STORED_BY_NEWER_RELEASE})
  @GetMapping("/{thread_id}")
  ThreadBody get(@PathVariable("thread_id") String thread) {
    return ThreadBody.of(queries.thread(thread));
  }

  @Requires(ApiScope.READ)
  @Operation(
      operationId = "listThreadRuns",
      summary = "List the runs of a conversation, newest first",
      description = "Runs that wait for the thread are `queued` and have not started.")
  @ApiResponse(responseCode = "200", description = "Some runs", useReturnTypeSchema = true)
  @Paged
  @Fails(ErrorCode.THREAD_NOT_FOUND)
  @GetMapping("/{thread_id}/runs")
  Listing<RunSummaryBody> runs(@PathVariable("thread_id") String thread, Query query) {
    var page = queries.threadRuns(thread, RunSearch.page(query));
    return Listing.of(page.items().stream().map(RunSummaryBody::new).toList(), page.next());
  }

  @Requires(ApiScope.OPERATE)
  @Operation(
      operationId = "deleteThread",
      summary = "Erase a conversation with all of its runs",
      description =
          "Refused while a run of it is active or waits for it. The runs are erased in steps, the"
              + " oldest first. When there are more than one call can erase, the answer is 503"
              + " `erasure_unfinished`: the thread is still there with fewer runs, and the same"
              + " call erases more.")
  @ApiResponse(responseCode = "204", description = "Erased")
  @Fails({
    ErrorCode.THREAD_NOT_FOUND,
    ErrorCode.THREAD_BUSY,
    ErrorCode.RUN_ACTIVE,
    ErrorCode.ERASURE_UNFINISHED
  })
  @DeleteMapping(path = "/{thread_id}", produces = MediaType.ALL_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable("thread_id") String thread) {
    runs.deleteThread(thread);
  }
}
