package dev.superstep.run.trigger;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.form.TriggerTables.StartOrigin;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.QueryParameters;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.Query;
import dev.superstep.run.trigger.InboundTriggerRows.TriggerKey;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// Serves the list of the webhooks and events that start runs.
@Tag(name = "Triggers", description = "What starts runs from outside")
@RestController
class TriggerController {
  /// Rows of a statement, however short a page is: the caller may not reach some.
  private static final int PART = 500;

  private final InboundTriggerRows rows;

  TriggerController(InboundTriggerRows rows) {
    this.rows = rows;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listTriggers")
  @Paged
  @QueryParameters("graph")
  @GetMapping(path = "/v1/triggers", produces = MediaType.APPLICATION_JSON_VALUE)
  Listing<TriggerBody> list(Query query) {
    int limit = query.limit();
    var graph = query.text("graph").map(Tenant.current()::own);
    var behind = query.cursor().map(TriggerController::key).orElse(new TriggerKey("", ""));
    var found = page(graph, behind, limit + 1);
    var shown = found.subList(0, Math.min(limit, found.size()));
    return Listing.of(
        shown.stream().map(TriggerBody::of).toList(),
        found.size() > limit ? Optional.of(cursor(shown.getLast())) : Optional.empty());
  }

  private static TriggerKey key(String cursor) {
    var read = Cursor.read(cursor, 2);
    return new TriggerKey(Tenant.current().own(read.text(0)), read.text(1));
  }

  private static String cursor(InboundTrigger last) {
    return Cursor.write(List.of(Tenant.shown(last.graph()), last.trigger()));
  }

  private List<InboundTrigger> page(Optional<String> graph, TriggerKey behind, int limit) {
    var found = new ArrayList<InboundTrigger>();
    var last = behind;
    List<InboundTrigger> part;
    do {
      part = rows.page(Tenant.current(), graph, last, PART);
      part.stream()
          .filter(it -> RunSchedules.isReached(it.graph(), it.caller().id()))
          .forEach(found::add);
      last =
          part.isEmpty() ? last : new TriggerKey(part.getLast().graph(), part.getLast().trigger());
    } while (part.size() == PART && found.size() < limit);
    return found;
  }

  /// A webhook or an event that starts runs, in answers of the API.
  @Schema(name = "Trigger")
  record TriggerBody(
      String graph,
      String trigger,
      @Nullable String path,
      @Nullable String scheme,
      @Nullable String event,
      @Nullable String condition,
      ObjectValue input,
      @JsonProperty("created_by") @Nullable String createdBy) {

    static TriggerBody of(InboundTrigger it) {
      var origin = it.declared().origin();
      var graph = Tenant.shown(it.graph());
      var caller = it.caller().id();
      return new TriggerBody(
          graph,
          it.trigger(),
          origin instanceof StartOrigin.FromSender
              ? "/v1/hooks/%s/%s/%s".formatted(Tenant.of(it.graph()).name(), graph, it.trigger())
              : null,
          origin instanceof StartOrigin.FromSender(var scheme, _) ? scheme.text() : null,
          origin instanceof StartOrigin.FromEvent(var name) ? name : null,
          it.mapping().condition().orElse(null),
          it.mapping().input(),
          caller.isEmpty() ? null : caller);
    }
  }
}
