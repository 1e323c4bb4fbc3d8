package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.audit.AuditChain;
import dev.superstep.audit.AuditCheck;
import dev.superstep.audit.AuditCheck.BrokenAudit;
import dev.superstep.audit.AuditCheck.SealHead;
import dev.superstep.audit.AuditEvents;
import dev.superstep.audit.AuditEvents.AuditEvent;
import dev.superstep.audit.AuditEvents.AuditFilter;
import dev.superstep.audit.AuditEvents.EventOrder;
import dev.superstep.audit.AuditEvents.EventPosition;
import dev.superstep.audit.AuditOutcome;
import dev.superstep.audit.AuditQueue.AuditObject;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.QueryParameters;
import dev.superstep.problem.Callers;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/// Serves the audit log, as a page or as lines.
@Tag(name = "Audit", description = "Who did what")
@RestController
@RequestMapping("/v1/audit")
class AuditController {
  private static final int LINES_MAX = 100_000;

  /// Lines that are read at once.
  private static final int PART = 1_000;

  private final AuditEvents events;
  private final AuditChain chain;
  private final Callers callers;
  private final JsonMapper json;

  AuditController(AuditEvents events, AuditChain chain, Callers callers, JsonMapper json) {
    this.events = events;
    this.chain = chain;
    this.callers = callers;
    this.json = json;
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "listAuditEvents")
  @Paged
  @QueryParameters({"since", "until", "caller", "action", "object", "outcome"})
  @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
  Listing<AuditEventBody> list(Query query) {
    int limit = query.limit();
    var found = events.list(filter(query), EventOrder.NEWEST_FIRST, behind(query), limit + 1);
    var shown = found.subList(0, Math.min(limit, found.size()));
    var next =
        found.size() > limit
            ? Optional.of(id(shown.getLast().position()))
            : Optional.<String>empty();
    return Listing.of(shown.stream().map(AuditEventBody::of).toList(), next);
  }

  /// Whoever reads the rest sends the id of the last line as `cursor`.
  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "exportAuditEvents")
  @QueryParameters({"since", "until", "caller", "action", "object", "outcome", "cursor", "lines"})
  @GetMapping(path = "/export", produces = MediaType.APPLICATION_NDJSON_VALUE)
  void export(Query query, HttpServletResponse response) throws IOException {
    var filter = filter(query);
    var behind = behind(query);
    int left = query.integer("lines", 1, LINES_MAX).orElse(LINES_MAX);
    var ended = callers.ended();
    response.setContentType(MediaType.APPLICATION_NDJSON_VALUE);
    var lines = response.getOutputStream();
    while (left > 0 && !ended.getAsBoolean()) {
      int wanted = Math.min(left, PART);
      var part = events.list(filter, EventOrder.OLDEST_FIRST, behind, wanted);
      for (var event : part) {
        lines.write(json.writeValueAsBytes(CloudEvent.of(event)));
        lines.write('\n');
      }
      if (part.size() < wanted) {
        return;
      }
      left -= wanted;
      behind = Optional.of(part.getLast().position());
    }
  }

  /// What is sealed of the caller's tenant. Whoever verifies the rest sends `next_cursor`.
  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "verifyAuditLog")
  @QueryParameters({"since", "until", "head", "cursor"})
  @GetMapping(path = "/verify", produces = MediaType.APPLICATION_JSON_VALUE)
  AuditCheckBody verify(Query query) {
    var span =
        new AuditChain.SealSpan(
            query.time("since"),
            query.time("until"),
            query.cursor().map(it -> Cursor.read(it, 1).number(0)),
            query.text("head").map(AuditCheckBody::head));
    return AuditCheckBody.of(chain.verify(span));
  }

  private static AuditFilter filter(Query query) {
    return new AuditFilter(
        query.time("since"),
        query.time("until"),
        query.text("caller"),
        query.text("action"),
        query.text("object"),
        query.oneOf("outcome", AuditOutcome.values(), AuditOutcome::text));
  }

  private static Optional<EventPosition> behind(Query query) {
    return query
        .cursor()
        .map(it -> Cursor.read(it, 2))
        .map(it -> new EventPosition(it.time(0), it.number(1)));
  }

  /// The id of an event is its place in the order of time, so that one goes on behind any event.
  private static String id(EventPosition position) {
    return Cursor.write(List.of(position.at().toString(), Long.toString(position.id())));
  }

  /// An event in answers of the API.
  record AuditEventBody(
      String id,
      Instant at,
      String tenant,
      CallerBody caller,
      String action,
      @Nullable ObjectBody object,
      String outcome,
      @JsonProperty("error_code") @Nullable String errorCode,
      int times) {
    static AuditEventBody of(AuditEvent event) {
      return new AuditEventBody(
          AuditController.id(event.position()),
          event.position().at(),
          event.tenant(),
          new CallerBody(
              event.caller().orElse(null), event.credential(), event.address().orElse(null)),
          event.action(),
          event.object().map(ObjectBody::of).orElse(null),
          event.outcome(),
          event.errorCode().orElse(null),
          event.times());
    }

    /// Who it was.
    @Schema(name = "AuditCaller")
    record CallerBody(@Nullable String id, String credential, @Nullable String address) {}

    /// What it was done to.
    @Schema(name = "AuditObject")
    record ObjectBody(String kind, String id) {
      static ObjectBody of(AuditObject object) {
        return new ObjectBody(object.kind(), object.id());
      }
    }
  }

  /// What came of verifying, in answers of the API.
  ///
  /// @param verified whether nothing is broken
  @Schema(name = "AuditVerification")
  record AuditCheckBody(
      boolean verified,
      int events,
      @JsonProperty("not_sealed") int notSealed,
      @Nullable String head,
      List<BrokenAuditBody> broken,
      @JsonProperty("next_cursor") @Nullable String nextCursor) {
    private static final Pattern HEAD = Pattern.compile("(\\d{1,18})-([0-9a-f]{64})");

    static AuditCheckBody of(AuditCheck check) {
      return new AuditCheckBody(
          check.broken().isEmpty(),
          check.events(),
          check.unsealed(),
          check.head().map(it -> it.number() + "-" + it.hash()).orElse(null),
          check.broken().stream().map(BrokenAuditBody::of).toList(),
          check.next().map(it -> Cursor.write(List.of(Long.toString(it)))).orElse(null));
    }

    static SealHead head(String text) {
      var parts = HEAD.matcher(text);
      if (!parts.matches()) {
        throw Query.invalid("head", "is no head that an answer has");
      }
      return new SealHead(Long.parseLong(parts.group(1)), parts.group(2));
    }
  }

  /// An event, or a seal, that is not as it was sealed.
  @Schema(name = "BrokenAudit")
  record BrokenAuditBody(
      @Schema(allowableValues = {"changed", "missing", "added"}) String what,
      @Schema(allowableValues = {"event", "seal", "head"}) String where,
      String id) {
    static BrokenAuditBody of(BrokenAudit broken) {
      var what = broken.damage().name().toLowerCase(Locale.ROOT);
      return switch (broken) {
        case BrokenAudit.BrokenEvent(_, var position) ->
            new BrokenAuditBody(what, "event", AuditController.id(position));
        case BrokenAudit.BrokenSeal(_, var number) ->
            new BrokenAuditBody(what, "seal", Long.toString(number));
        case BrokenAudit.BrokenHead(_, var number) ->
            new BrokenAuditBody(what, "head", Long.toString(number));
      };
    }
  }

  /// An event as CloudEvents 1.0 has it in JSON.
  record CloudEvent(
      String specversion,
      String id,
      String source,
      String type,
      Instant time,
      @Nullable String subject,
      String datacontenttype,
      AuditEventBody data) {
    private static final String TYPE = "dev.superstep.audit.";

    static CloudEvent of(AuditEvent event) {
      return new CloudEvent(
          "1.0",
          AuditController.id(event.position()),
          "/v1/audit",
          TYPE + event.action(),
          event.position().at(),
          event.object().map(it -> it.kind() + "/" + it.id()).orElse(null),
          MediaType.APPLICATION_JSON_VALUE,
          AuditEventBody.of(event));
    }
  }
}
