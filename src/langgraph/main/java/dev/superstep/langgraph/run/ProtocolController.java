package dev.superstep.langgraph.run;

import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.langgraph.LangGraphController;
import dev.superstep.langgraph.run.Commands.CommandRefused;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;

/// Serves whole threads: commands, and a stream that stays open over runs.
@Tag(name = "Thread streams", description = "Commands, and streams that stay open over runs")
@LangGraphController
@Fails({
  ErrorCode.THREAD_NOT_FOUND,
  ErrorCode.RUN_NOT_FOUND,
  ErrorCode.ASSISTANT_NOT_FOUND,
  ErrorCode.GRAPH_NOT_FOUND,
  ErrorCode.INVALID_HEADER,
  ErrorCode.STREAM_QUOTA_EXCEEDED,
  ErrorCode.OVERLOADED,
  ErrorCode.STORED_BY_NEWER_RELEASE
})
@RequestMapping("/threads/{thread}")
class ProtocolController {
  private static final String ID = "id";
  private static final String MESSAGE = "message";

  private final Commands commands;
  private final ThreadParts parts;
  private final ThreadStreamer streamer;

  ProtocolController(Commands commands, ThreadParts parts, ThreadStreamer streamer) {
    this.commands = commands;
    this.parts = parts;
    this.streamer = streamer;
  }

  @Requires(ApiScope.RUN)
  @Idempotent
  @Operation(operationId = "langGraphCommand")
  @PostMapping(path = "/commands", produces = MediaType.APPLICATION_JSON_VALUE)
  ObjectValue command(
      @PathVariable String thread, @RequestBody ObjectValue body, IdempotencyKey key) {
    try {
      var result =
          commands.perform(
              thread, body.textOrEmpty("method"), object(body.getOr("params", Value.NULL)), key);
      var meta = ObjectValue.of("thread_id", Tenant.shown(thread));
      var applied =
          parts
              .newest(thread)
              .flatMap(it -> EventNumber.behind(parts.era(), it.ordinal(), it.end()).value());
      return ObjectValue.builder()
          .put("type", "success")
          .put(ID, body.getOr(ID, Value.NULL))
          .put("result", result)
          .put("meta", applied.map(it -> meta.plus("applied_through_seq", it)).orElse(meta))
          .build();
    } catch (CommandRefused refused) {
      return refused(body, refused.error(), refused.reason());
    } catch (ServiceException failure) {
      if (failure.code().status().is5xxServerError()) {
        throw failure;
      }
      return refused(
              body, Commands.name(failure.code()), Tenant.current().shownIn(failure.detail()))
          .plus("code", failure.code().code());
    }
  }

  private static ObjectValue object(Value params) {
    return switch (params) {
      case ObjectValue object -> object;
      case Value.Null _ -> ObjectValue.empty();
      default -> throw new CommandRefused("invalid_argument", "params must be an object");
    };
  }

  private static ObjectValue refused(ObjectValue body, String error, String message) {
    return ObjectValue.builder()
        .put("type", "error")
        .put(ID, body.getOr(ID, Value.NULL))
        .put("error", error)
        .put(MESSAGE, message)
        .build();
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphThreadEvents")
  @PostMapping(
      path = "/stream/events",
      produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_JSON_VALUE})
  void events(
      @PathVariable String thread, @RequestBody ObjectValue body, HttpServletResponse response)
      throws IOException {
    streamer.answer(thread, ThreadSubscription.read(body), response);
  }

  @Requires(ApiScope.READ)
  @Fails(ErrorCode.METHOD_NOT_ALLOWED)
  @Operation(operationId = "langGraphThreadSocket")
  @GetMapping(path = "/stream/events", produces = MediaType.APPLICATION_JSON_VALUE)
  void socket(@PathVariable String thread) {
    throw new ServiceException(
        ErrorCode.METHOD_NOT_ALLOWED,
        "this server speaks no WebSocket; stream with POST and server-sent events, which clients"
            + " use unless they are given a webSocketFactory");
  }
}
