package dev.superstep.run.web;

import dev.superstep.run.StorageReports;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Serves the report on storage.
@Tag(name = "Storage", description = "How much is stored")
@RestController
@RequestMapping(path = "/v1/storage", produces = MediaType.APPLICATION_JSON_VALUE)
class StorageController {
  private final StorageReports reports;

  StorageController(StorageReports reports) {
    this.reports = reports;
  }

  @Requires(ApiScope.OPERATE)
  @Operation(
      operationId = "getStorage",
      summary = "See how much the runs of each graph take",
      description =
          "For operators. The figures of graphs are read where there are few runs, and estimated"
              + " from a sample of the runs otherwise, so that the call costs about the same"
              + " however much is stored. Graphs of which the sample has no run are absent then.")
  @ApiResponse(responseCode = "200", description = "The report", useReturnTypeSchema = true)
  @GetMapping
  StorageBody get() {
    return StorageBody.of(reports.report());
  }
}
