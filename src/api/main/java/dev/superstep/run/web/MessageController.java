package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.checkpoint.inbox.StoredMessage;
import dev.superstep.engine.run.InboxMessage.IfUntaken;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.run.MessageService;
import dev.superstep.run.SendMessage;
import dev.superstep.run.SendMessage.Addressee;
import dev.superstep.run.SendMessage.MessageContent;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Serves the calls that send messages to runs.
@Tag(name = "Messages", description = "What is said to runs while they run")
@RestController
@RequestMapping(path = "/v1", produces = MediaType.APPLICATION_JSON_VALUE)
class MessageController {
  private final MessageService messages;
  private final Idempotency idempotency;

  MessageController(MessageService messages, Idempotency idempotency) {
    this.messages = messages;
    this.idempotency = idempotency;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listRunMessages")
  @Paged
  @Fails(ErrorCode.RUN_NOT_FOUND)
  @GetMapping("/runs/{id}/messages")
  Listing<MessageBody> list(@PathVariable String id, Query query) {
    var page = messages.list(id, RunSearch.page(query));
    return Listing.of(page.items().stream().map(MessageBody::of).toList(), page.next());
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "sendRunMessage")
  @Idempotent
  @Fails({
    ErrorCode.RUN_NOT_FOUND,
    ErrorCode.RUN_ENDED,
    ErrorCode.MESSAGE_EXISTS,
    ErrorCode.INVALID_INPUT,
    ErrorCode.LIMIT_EXCEEDED,
    ErrorCode.QUOTA_EXCEEDED,
    ErrorCode.RUN_QUOTA_EXCEEDED,
    ErrorCode.BUDGET_EXHAUSTED,
    ErrorCode.STORAGE_QUOTA_EXCEEDED,
    ErrorCode.OVERLOADED,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @PostMapping(path = "/runs/{id}/messages", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<MessageBody> toRun(
      @PathVariable String id, @RequestBody SendMessageBody body, IdempotencyKey key) {
    return send(body.read(new Addressee.ToRun(id)), key);
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "sendThreadMessage")
  @Idempotent
  @Fails({
    ErrorCode.THREAD_NOT_FOUND,
    ErrorCode.RUN_ENDED,
    ErrorCode.MESSAGE_EXISTS,
    ErrorCode.INVALID_INPUT,
    ErrorCode.LIMIT_EXCEEDED,
    ErrorCode.QUOTA_EXCEEDED,
    ErrorCode.RUN_QUOTA_EXCEEDED,
    ErrorCode.BUDGET_EXHAUSTED,
    ErrorCode.STORAGE_QUOTA_EXCEEDED,
    ErrorCode.OVERLOADED,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @PostMapping(path = "/threads/{thread_id}/messages", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<MessageBody> toThread(
      @PathVariable("thread_id") String thread,
      @RequestBody SendMessageBody body,
      IdempotencyKey key) {
    return send(body.read(new Addressee.ToThread(thread)), key);
  }

  private ResponseEntity<MessageBody> send(SendMessage request, IdempotencyKey key) {
    messages.prepare(request);
    var storedAnswer =
        idempotency.once(
            key,
            () -> {
              var sent = messages.send(request);
              var message = sent.message();
              return new StoredAnswer(
                  HttpStatus.ACCEPTED.value(),
                  message.seq() + ":" + message.run(),
                  sent.replayed());
            });
    var name = storedAnswer.resource();
    int colon = name.indexOf(':');
    var message =
        messages.find(name.substring(colon + 1), Integer.parseInt(name.substring(0, colon)));
    return ResponseEntity.status(storedAnswer.status())
        .headers(storedAnswer.headers())
        .body(MessageBody.of(message));
  }

  /// The request to send a message.
  ///
  /// @param value Java's null: the field is missing
  @Schema(name = "SendMessage")
  record SendMessageBody(
      @Nullable String channel,
      @Nullable Value value,
      @Nullable Value message,
      @Nullable String id,
      @JsonProperty("if_ended") @Nullable String ifEnded) {
    private static final int ID_CHARS_MAX = 200;
    private static final Map<String, IfUntaken> IF_ENDED =
        Map.of("reject", IfUntaken.FOLD, "start", IfUntaken.START);

    SendMessage read(Addressee to) {
      var bodyChecks = new BodyChecks();
      checkContent(bodyChecks);
      if (id != null && (id.isEmpty() || id.length() > ID_CHARS_MAX)) {
        bodyChecks.refuse(
            "/id",
            ErrorCode.INVALID_VALUE,
            "must have from 1 to %d characters".formatted(ID_CHARS_MAX));
      }
      if (ifEnded != null && !IF_ENDED.containsKey(ifEnded)) {
        bodyChecks.refuse("/if_ended", ErrorCode.INVALID_VALUE, "must be reject or start");
      }
      bodyChecks.throwIfAny();
      return new SendMessage(
          to,
          Optional.ofNullable(channel),
          said(),
          Optional.ofNullable(id),
          Optional.ofNullable(ifEnded).map(IF_ENDED::get).orElse(IfUntaken.FOLD));
    }

    private void checkContent(BodyChecks bodyChecks) {
      if (value != null && message != null) {
        bodyChecks.refuse("/value", ErrorCode.INVALID_VALUE, "give value or message, not both");
      }
      if (value == null && message == null) {
        bodyChecks.refuse("/message", ErrorCode.MISSING_FIELD, "is required, or value");
      }
    }

    private MessageContent said() {
      return message == null
          ? new MessageContent(value == null ? Value.NULL : value, false)
          : new MessageContent(message, true);
    }
  }

  /// A message to a run, and what has become of it.
  @Schema(name = "RunMessage")
  record MessageBody(
      String id,
      @JsonProperty("run_id") String runId,
      int seq,
      String channel,
      Value value,
      @Nullable String sender,
      @JsonProperty("sent_at") Instant sentAt,
      String status,
      @Nullable Integer superstep,
      @JsonProperty("next_run_id") @Nullable String nextRunId) {

    static MessageBody of(StoredMessage message) {
      return new MessageBody(
          message.id(),
          Tenant.shown(message.run()),
          message.seq(),
          message.channel(),
          message.value(),
          message.sender().orElse(null),
          message.sentAt(),
          message.fate().status().apiName(),
          message.fate().superstep().orElse(null),
          message.fate().nextRun().map(Tenant::shown).orElse(null));
    }
  }
}
