package dev.superstep.run.web;

import dev.superstep.definition.form.TriggerTables;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.event.EventService;
import dev.superstep.run.event.SentEvent;
import dev.superstep.run.trigger.EventStarts;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Reach;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Takes events for runs that wait for them, and for graphs that they start: CloudEvents 1.0 over
/// HTTP in structured, batched and binary mode, with data in JSON.
@Tag(name = "CloudEvents", description = "Events from outside")
@RestController
@RequestMapping(path = "/v1/events", produces = MediaType.APPLICATION_JSON_VALUE)
class CloudEventController {
  private static final String STRUCTURED = "application/cloudevents+json";
  private static final String BATCH = "application/cloudevents-batch+json";
  private static final String PREFIX = "ce-";
  private static final String EXAMPLE =
      """
      {"specversion": "1.0", "id": "e-17", "source": "/shop", "type": "order.paid",
       "data": {"order": "o-7", "amount": 30}}\
      """;
  private static final int BATCH_MAX = 100;
  private static final int TEXT_MAX = 1_000;
  private static final Pattern ATTRIBUTE = Pattern.compile("[a-z0-9]{1,64}");

  private final EventService events;
  private final EventStarts starts;

  CloudEventController(EventService events, EventStarts starts) {
    this.events = events;
    this.starts = starts;
  }

  @Requires(ApiScope.ANSWER)
  @Operation(operationId = "sendEvent")
  @Fails({
    ErrorCode.INVALID_REQUEST,
    ErrorCode.BODY_TOO_LARGE,
    ErrorCode.QUOTA_EXCEEDED,
    ErrorCode.FORBIDDEN
  })
  @io.swagger.v3.oas.annotations.parameters.RequestBody(
      required = true,
      content = {
        @Content(
            mediaType = MediaType.APPLICATION_JSON_VALUE,
            schema = @Schema(type = "object"),
            examples = @ExampleObject(EXAMPLE)),
        @Content(
            mediaType = STRUCTURED,
            schema = @Schema(type = "object"),
            examples = @ExampleObject(EXAMPLE)),
        @Content(
            mediaType = BATCH,
            array = @ArraySchema(schema = @Schema(type = "object")),
            examples = @ExampleObject("[" + EXAMPLE + "]"))
      })
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @PostMapping(consumes = {STRUCTURED, BATCH, MediaType.APPLICATION_JSON_VALUE})
  void send(@Parameter(hidden = true) @RequestHeader HttpHeaders headers, @RequestBody Value body) {
    if (Reach.current().isPresent()) {
      throw new ServiceException(
          ErrorCode.FORBIDDEN, "a key or token that is limited cannot do that");
    }
    var bodyChecks = new BodyChecks();
    var read = read(headers, body, bodyChecks);
    bodyChecks.throwIfAny();
    if (events.publish(read)) {
      starts.startSoon();
    }
  }

  private static List<SentEvent> read(HttpHeaders headers, Value body, BodyChecks bodyChecks) {
    var type = headers.getContentType();
    if (type != null && type.isCompatibleWith(MediaType.parseMediaType(BATCH))) {
      return batch(body, bodyChecks);
    }
    var structured =
        (type != null && type.isCompatibleWith(MediaType.parseMediaType(STRUCTURED)))
            || headers.getFirst("ce-id") == null;
    return List.of(event("", structured ? body : binary(headers, body), bodyChecks));
  }

  private static List<SentEvent> batch(Value body, BodyChecks bodyChecks) {
    if (!(body instanceof ListValue all) || all.size() > BATCH_MAX) {
      bodyChecks.refuse(
          "", ErrorCode.INVALID_VALUE, "must be a list of up to %d events".formatted(BATCH_MAX));
      return List.of();
    }
    var read = new ArrayList<SentEvent>();
    for (int i = 0; i < all.size(); i++) {
      read.add(event("/" + i, all.get(i), bodyChecks));
    }
    return read;
  }

  /// Attributes are in headers, as `ce-id` says, percent-encoded, and the body is the data.
  private static ObjectValue binary(HttpHeaders headers, Value body) {
    var event = ObjectValue.of("data", body);
    for (var name : headers.headerNames()) {
      var lower = name.toLowerCase(Locale.ROOT);
      var value = headers.getFirst(name);
      if (lower.startsWith(PREFIX) && value != null && !lower.equals(PREFIX + "data")) {
        event = event.plus(lower.substring(PREFIX.length()), decoded(value));
      }
    }
    return event.has("datacontenttype")
        ? event
        : event.plus("datacontenttype", MediaType.APPLICATION_JSON_VALUE);
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return value;
    }
  }

  private static SentEvent event(String at, Value given, BodyChecks bodyChecks) {
    var event = given instanceof ObjectValue object ? object : ObjectValue.empty();
    if (!event.isText("specversion", "1.0")) {
      bodyChecks.refuse(at + "/specversion", ErrorCode.INVALID_VALUE, "must be 1.0");
    }
    event.asMap().keySet().stream()
        .filter(it -> !it.equals("data_base64") && !ATTRIBUTE.matcher(it).matches())
        .findFirst()
        .ifPresent(it ->
            bodyChecks.refuse(
                at, ErrorCode.INVALID_VALUE, "names of attributes match " + ATTRIBUTE.pattern()));
    if (!TriggerTables.isEventType(event.textOrEmpty("type"))) {
      bodyChecks.refuse(
          at + "/type",
          ErrorCode.INVALID_VALUE,
          "must have 1 to 512 bytes, and no control characters");
    }
    return new SentEvent(
        text(at + "/source", event, "source", bodyChecks),
        text(at + "/id", event, "id", bodyChecks),
        text(at + "/type", event, "type", bodyChecks),
        event,
        expiry(at, event, bodyChecks));
  }

  private static String text(String at, ObjectValue event, String key, BodyChecks bodyChecks) {
    var text = event.textOrEmpty(key);
    if (text.isEmpty() || text.length() > TEXT_MAX) {
      bodyChecks.refuse(
          at,
          event.has(key) ? ErrorCode.INVALID_VALUE : ErrorCode.MISSING_FIELD,
          "must have 1 to %d characters".formatted(TEXT_MAX));
    }
    return text;
  }

  /// An extension of CloudEvents: behind that time the event is worth nothing.
  private static Optional<Instant> expiry(String at, ObjectValue event, BodyChecks bodyChecks) {
    try {
      return event.findText("expirytime").map(it -> OffsetDateTime.parse(it).toInstant());
    } catch (DateTimeException _) {
      bodyChecks.refuse(at + "/expirytime", ErrorCode.INVALID_VALUE, "must be an RFC 3339 time");
      return Optional.empty();
    }
  }
}
