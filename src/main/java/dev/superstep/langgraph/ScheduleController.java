package dev.superstep.langgraph;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;

/// Refuses schedules, which this service does not have.
@Tag(name = "Schedules", description = "Runs by the clock, which this server does not have")
@LangGraphController
class ScheduleController {

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphCreateSchedule", summary = "Refused: there are no schedules")
  @PostMapping({"/runs/crons", "/threads/{thread_id}/runs/crons"})
  void create() {
    refuse();
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphSearchSchedules", summary = "Refused: there are no schedules")
  @PostMapping({"/runs/crons/search", "/runs/crons/count"})
  void search() {
    refuse();
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphUpdateSchedule", summary = "Refused: there are no schedules")
  @PatchMapping("/runs/crons/{cron_id}")
  void update() {
    refuse();
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphDeleteSchedule", summary = "Refused: there are no schedules")
  @DeleteMapping("/runs/crons/{cron_id}")
  void delete() {
    refuse();
  }

  private static void refuse() {
    throw new ServiceException(
        ErrorCode.NOT_IMPLEMENTED,
        "this server has no schedules; have a scheduler of yours, cron for instance, start runs,"
            + " or start one run later with after_seconds");
  }
}
