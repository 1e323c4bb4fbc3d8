package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.StorageReports;
import dev.superstep.run.StorageView;
import dev.superstep.run.StorageView.GraphStorage;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
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

  /// The report on storage.
  record StorageBody(
      boolean estimated,
      @JsonProperty("runs_read") long runsRead,
      @JsonProperty("total_bytes") long totalBytes,
      List<GraphStorageBody> graphs) {

    public static StorageBody of(StorageView view) {
      return new StorageBody(
          view.estimated(),
          view.runsRead(),
          view.totalBytes(),
          view.graphs().stream().map(GraphStorageBody::of).toList());
    }

    record GraphStorageBody(
        String graph, long runs, long active, long checkpoints, long events, long bytes) {
      static GraphStorageBody of(GraphStorage storage) {
        return new GraphStorageBody(
            Tenant.shown(storage.graph()),
            storage.runs(),
            storage.active(),
            storage.checkpoints(),
            storage.events(),
            storage.bytes());
      }
    }
  }
}
