package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.run.HistoryCheck;
import dev.superstep.run.HistoryCheck.BrokenRow;
import dev.superstep.run.HistoryCheck.HistoryHead;
import dev.superstep.run.HistoryCheck.HistoryPosition;
import dev.superstep.run.RunHistory;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Verifies what is stored of runs.
@Tag(name = "State", description = "What runs have computed, superstep by superstep")
@RestController
class HistoryController {
  private final RunHistory history;

  HistoryController(RunHistory history) {
    this.history = history;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "verifyRun")
  @QueryParameters({"head", "cursor"})
  @Fails(ErrorCode.RUN_NOT_FOUND)
  @GetMapping(path = "/v1/runs/{id}/verify", produces = MediaType.APPLICATION_JSON_VALUE)
  HistoryCheckBody verify(@PathVariable String id, Query query) {
    var from = query.cursor().map(HistoryController::position);
    return HistoryCheckBody.of(
        history.verify(id, from, query.text("head").map(HistoryCheckBody::head)));
  }

  private static HistoryPosition position(String cursor) {
    var parts = Cursor.read(cursor, 3);
    return new HistoryPosition(parts.integer(0), parts.integer(1) - 1, parts.number(2));
  }

  private static String cursor(HistoryPosition position) {
    return Cursor.write(
        List.of(
            Integer.toString(position.checkpoint()),
            Integer.toString(position.eventsOf() + 1),
            Long.toString(position.seq())));
  }

  /// What came of it, in answers of the API.
  ///
  /// @param verified whether nothing is broken
  @Schema(name = "RunVerification")
  record HistoryCheckBody(
      boolean verified,
      int checkpoints,
      @JsonProperty("not_chained") int notChained,
      int erased,
      @Nullable String head,
      List<BrokenRowBody> broken,
      @JsonProperty("next_cursor") @Nullable String nextCursor) {
    private static final Pattern HEAD = Pattern.compile("(\\d{1,9})-([0-9a-f]{64})");

    static HistoryCheckBody of(HistoryCheck check) {
      return new HistoryCheckBody(
          check.broken().isEmpty(),
          check.checkpoints(),
          check.notChained(),
          check.erased(),
          check.head().map(it -> it.checkpoint() + "-" + it.link()).orElse(null),
          check.broken().stream().map(BrokenRowBody::of).toList(),
          check.next().map(HistoryController::cursor).orElse(null));
    }

    static HistoryHead head(String text) {
      var parts = HEAD.matcher(text);
      if (!parts.matches()) {
        throw Query.invalid("head", "is no head that an answer has");
      }
      return new HistoryHead(Integer.parseInt(parts.group(1)), parts.group(2));
    }
  }

  /// A row that is not as it was written.
  @Schema(name = "BrokenRow")
  record BrokenRowBody(
      @Schema(allowableValues = {"changed", "missing", "added"}) String what,
      String where,
      String row) {
    /// Their rows have the id of the run.
    private static final Set<String> RUNS = Set.of("run", "run_input");

    static BrokenRowBody of(BrokenRow broken) {
      return new BrokenRowBody(
          broken.damage().name().toLowerCase(Locale.ROOT),
          broken.table(),
          RUNS.contains(broken.table()) ? Tenant.shown(broken.row()) : broken.row());
    }
  }
}
