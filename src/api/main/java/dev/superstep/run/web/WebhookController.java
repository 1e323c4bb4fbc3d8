package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.DurationText;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.webhook.Webhook;
import dev.superstep.run.webhook.Webhook.WebhookWithSecret;
import dev.superstep.run.webhook.WebhookDelivery;
import dev.superstep.run.webhook.WebhookDelivery.DeliveryStatus;
import dev.superstep.run.webhook.WebhookService;
import dev.superstep.run.webhook.WebhookService.NewWebhook;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Serves webhooks and what they were sent.
@Tag(name = "Webhooks", description = "Who is told what happens in runs")
@RestController
@RequestMapping(path = "/v1/webhooks", produces = MediaType.APPLICATION_JSON_VALUE)
class WebhookController {
  private static final int DESCRIPTION_CHARS_MAX = 500;

  private final WebhookService webhooks;

  WebhookController(WebhookService webhooks) {
    this.webhooks = webhooks;
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "createWebhook")
  @Fails({ErrorCode.LIMIT_EXCEEDED, ErrorCode.CONFLICT, ErrorCode.HOOK_UNAVAILABLE})
  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<WebhookBody> create(@RequestBody NewWebhookBody body) {
    return ResponseEntity.status(HttpStatus.CREATED)
        .cacheControl(CacheControl.noStore())
        .body(WebhookBody.of(webhooks.make(body.read())));
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "listWebhooks")
  @Paged
  @GetMapping
  Listing<WebhookBody> list(Query query) {
    return Listing.part(webhooks.list().stream().map(WebhookBody::of).toList(), query);
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "getWebhook")
  @Fails(ErrorCode.WEBHOOK_NOT_FOUND)
  @GetMapping("/{id}")
  WebhookBody get(@PathVariable String id) {
    return WebhookBody.of(webhooks.get(id));
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "updateWebhook")
  @Fails(ErrorCode.WEBHOOK_NOT_FOUND)
  @PatchMapping(path = "/{id}", consumes = MediaType.APPLICATION_JSON_VALUE)
  WebhookBody update(@PathVariable String id, @RequestBody WebhookUpdateBody body) {
    var bodyChecks = new BodyChecks();
    if (body.url != null) {
      WebhookTargetBody.checkUrl("/url", body.url, bodyChecks);
    }
    NewWebhookBody.checkDescription(body.description, bodyChecks);
    bodyChecks.throwIfAny();
    return WebhookBody.of(webhooks.update(id, body.url, body.description, body.paused));
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "rotateWebhook")
  @Fails({ErrorCode.WEBHOOK_NOT_FOUND, ErrorCode.CONFLICT, ErrorCode.HOOK_UNAVAILABLE})
  @PostMapping(path = "/{id}/rotate", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<WebhookBody> rotate(
      @PathVariable String id, @RequestBody WebhookRotationBody body) {
    var overlap = body.checkedOverlap();
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(WebhookBody.of(webhooks.rotate(id, overlap)));
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "deleteWebhook")
  @Fails(ErrorCode.WEBHOOK_NOT_FOUND)
  @DeleteMapping("/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable String id) {
    webhooks.delete(id);
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "listDeliveries")
  @Paged
  @QueryParameters("status")
  @Fails(ErrorCode.WEBHOOK_NOT_FOUND)
  @GetMapping("/{id}/deliveries")
  Listing<DeliveryBody> deliveries(@PathVariable String id, Query query) {
    var found =
        webhooks.deliveries(
            id,
            query.oneOf("status", DeliveryStatus.values(), DeliveryStatus::apiName),
            query.cursor().map(it -> Cursor.read(it, 1).text(0)),
            query.limit() + 1);
    boolean more = found.size() > query.limit();
    var shown = more ? found.subList(0, query.limit()) : found;
    Optional<String> next =
        more ? Optional.of(Cursor.write(List.of(shown.getLast().id()))) : Optional.empty();
    return Listing.of(shown.stream().map(DeliveryBody::of).toList(), next);
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "getDelivery")
  @Fails({ErrorCode.WEBHOOK_NOT_FOUND, ErrorCode.DELIVERY_NOT_FOUND})
  @GetMapping("/{id}/deliveries/{delivery}")
  DeliveryBody delivery(@PathVariable String id, @PathVariable String delivery) {
    return DeliveryBody.of(webhooks.delivery(id, delivery));
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "replayDelivery")
  @Fails({ErrorCode.WEBHOOK_NOT_FOUND, ErrorCode.DELIVERY_NOT_FOUND})
  @PostMapping("/{id}/deliveries/{delivery}:replay")
  @ResponseStatus(HttpStatus.ACCEPTED)
  DeliveryBody replay(@PathVariable String id, @PathVariable String delivery) {
    return DeliveryBody.of(webhooks.replay(id, delivery));
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "replayDeliveries")
  @Fails(ErrorCode.WEBHOOK_NOT_FOUND)
  @PostMapping("/{id}/deliveries:replay")
  @ResponseStatus(HttpStatus.ACCEPTED)
  ReplayBody replayAll(@PathVariable String id) {
    return new ReplayBody(webhooks.replayAll(id));
  }

  /// The request to make a webhook.
  @Schema(name = "NewWebhook")
  record NewWebhookBody(
      @Nullable String url,
      @Nullable List<@Nullable String> events,
      @Nullable List<@Nullable String> graphs,
      @Nullable String description) {
    private static final int GRAPHS_MAX = 100;
    private static final int GRAPH_CHARS_MAX = 200;

    NewWebhook read() {
      var bodyChecks = new BodyChecks();
      if (url != null) {
        WebhookTargetBody.checkUrl("/url", url, bodyChecks);
      }
      checkGraphs(bodyChecks);
      if (url == null && (events != null || graphs != null)) {
        bodyChecks.refuse(
            "/url", ErrorCode.MISSING_FIELD, "is required where events or graphs are named");
      }
      var told = WebhookTargetBody.events("/events", events, bodyChecks);
      checkDescription(description, bodyChecks);
      bodyChecks.throwIfAny();
      var names = graphs == null ? List.<@Nullable String>of() : graphs;
      return new NewWebhook(
          Optional.ofNullable(url),
          told,
          names.stream().map(it -> Tenant.current().own(String.valueOf(it))).toList(),
          description == null ? "" : description);
    }

    private void checkGraphs(BodyChecks bodyChecks) {
      if (graphs == null) {
        return;
      }
      if (graphs.size() > GRAPHS_MAX) {
        bodyChecks.refuse("/graphs", ErrorCode.LIMIT_EXCEEDED, "may have at most " + GRAPHS_MAX);
      }
      if (graphs.stream().anyMatch(it -> it == null || it.length() > GRAPH_CHARS_MAX)) {
        bodyChecks.refuse("/graphs", ErrorCode.INVALID_VALUE, "must be names of graphs");
      }
    }

    static void checkDescription(@Nullable String text, BodyChecks bodyChecks) {
      if (text != null && text.length() > DESCRIPTION_CHARS_MAX) {
        bodyChecks.refuse(
            "/description",
            ErrorCode.INVALID_VALUE,
            "may have at most %d characters".formatted(DESCRIPTION_CHARS_MAX));
      }
    }
  }

  /// The request to change a webhook.
  @Schema(name = "WebhookUpdate")
  record WebhookUpdateBody(
      @Nullable String url, @Nullable String description, @Nullable Boolean paused) {}

  /// The request to give a webhook another secret.
  @Schema(name = "WebhookRotation")
  record WebhookRotationBody(@Nullable String overlap) {
    private static final Duration MAX = Duration.ofDays(30);
    private static final Duration DEFAULT = Duration.ofDays(1);

    Duration checkedOverlap() {
      return overlap == null
          ? DEFAULT
          : DurationText.parse(overlap)
              .filter(it -> it.compareTo(MAX) <= 0)
              .orElseThrow(() ->
                  ServiceException.at(
                      "/overlap",
                      ErrorCode.INVALID_VALUE,
                      "must be a duration of at most 30 days, such as 90s, 5m or PT5M"));
    }
  }

  /// A webhook in answers of the API.
  @Schema(name = "Webhook")
  record WebhookBody(
      String id,
      @Nullable String url,
      List<String> events,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> graphs,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String description,
      boolean paused,
      @JsonProperty("paused_because") @Nullable String pausedBecause,
      @JsonProperty("created_at") Instant createdAt,
      @JsonProperty("previous_ends_at") @Nullable Instant previousEndsAt,
      @Nullable String secret) {

    static WebhookBody of(Webhook webhook) {
      return of(webhook, null);
    }

    static WebhookBody of(WebhookWithSecret made) {
      return of(made.webhook(), made.secret());
    }

    private static WebhookBody of(Webhook webhook, @Nullable String secret) {
      return new WebhookBody(
          webhook.id(),
          webhook.url().orElse(null),
          webhook.url().isEmpty() ? List.of() : List.copyOf(new TreeSet<>(webhook.events())),
          webhook.graphs().stream().map(Tenant::shown).toList(),
          webhook.description(),
          webhook.paused(),
          webhook.pausedBecause().orElse(null),
          webhook.appliesFrom(),
          webhook.previousEndsAt().orElse(null),
          secret);
    }

    @Override
    public String toString() {
      return "WebhookBody[" + id + "]";
    }
  }

  /// A delivery in answers of the API.
  @Schema(name = "Delivery")
  record DeliveryBody(
      String id,
      @JsonProperty("run_id") String runId,
      long seq,
      String type,
      String url,
      String status,
      @JsonProperty("created_at") Instant createdAt,
      @JsonProperty("next_attempt_at") @Nullable Instant nextAttemptAt,
      @JsonProperty("last_attempt") AttemptBody lastAttempt,
      @Nullable String body) {

    static DeliveryBody of(WebhookDelivery delivery) {
      var standing = delivery.standing();
      return new DeliveryBody(
          delivery.id(),
          Tenant.shown(delivery.run()),
          delivery.seq(),
          delivery.type(),
          delivery.url(),
          standing.status().apiName(),
          delivery.createdAt(),
          standing.nextAt().orElse(null),
          new AttemptBody(
              standing.attempts(),
              standing.attemptedAt().orElse(null),
              standing.answerStatus().orElse(null),
              standing.answer().orElse(null)),
          delivery.body().orElse(null));
    }
  }

  /// The last attempt of a delivery.
  @Schema(name = "DeliveryAttempt")
  record AttemptBody(
      int number, @Nullable Instant at, @Nullable Integer status, @Nullable String answer) {}

  /// How many deliveries are sent anew.
  @Schema(name = "Replay")
  record ReplayBody(int replayed) {}
}
