package dev.superstep.langgraph;

import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;

/// Refuses calls of the LangGraph Agent Server that this service does not have, and says what to
/// call instead.
@Tag(name = "Refused", description = "What this server does not have")
@LangGraphController
@Fails({ErrorCode.NOT_IMPLEMENTED})
class RefusedController {

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphFollowThread")
  @GetMapping("/threads/{thread_id}/stream")
  void followThread() {
    refuse(
        "this server follows a thread over its runs by POST /threads/{id}/stream/events, and one"
            + " run by GET /threads/{id}/runs/{run}/stream");
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphLabelState")
  @PatchMapping("/threads/{thread_id}/state")
  void labelState() {
    refuse(
        "a stored state is not changed; put metadata on the thread with PATCH /threads/{id}, or on"
            + " a run when it begins");
  }

  private static void refuse(String why) {
    throw new ServiceException(ErrorCode.NOT_IMPLEMENTED, why);
  }
}
