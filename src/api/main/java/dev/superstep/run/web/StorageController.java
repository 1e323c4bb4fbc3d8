package dev.superstep.run.web;

import dev.superstep.run.StorageReports;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
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
  @Operation(operationId = "getStorage")
  @GetMapping
  StorageBody get() {
    return StorageBody.of(reports.report());
  }
}
