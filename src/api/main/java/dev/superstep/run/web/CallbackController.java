package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.checkpoint.WorkerEndCodec;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.LimitSettings;
import dev.superstep.run.web.WorkerController.TaskErrorBody;
import dev.superstep.run.work.CallbackService;
import dev.superstep.security.Requires;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Serves those who answer what tasks expect from outside. They need no key: the token is the right
/// to.
@Tag(name = "Callbacks", description = "Answers from outside to tasks that wait for them")
@RestController
@RequestMapping(path = "/v1/callbacks/{token}", produces = MediaType.APPLICATION_JSON_VALUE)
class CallbackController {
  private final CallbackService callbacks;
  private final LimitSettings limits;

  CallbackController(CallbackService callbacks, LimitSettings limits) {
    this.callbacks = callbacks;
    this.limits = limits;
  }

  @Requires({})
  @Operation(operationId = "answerCallback")
  @Fails({
    ErrorCode.CALLBACK_NOT_FOUND,
    ErrorCode.CALLBACK_ANSWERED,
    ErrorCode.CALLBACK_CLOSED,
    ErrorCode.BODY_TOO_LARGE
  })
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  void answer(@PathVariable String token, @RequestBody Value body) {
    end(token, new WorkerEnd.Returned(body));
  }

  @Requires({})
  @Operation(operationId = "failCallback")
  @Fails({
    ErrorCode.CALLBACK_NOT_FOUND,
    ErrorCode.CALLBACK_ANSWERED,
    ErrorCode.CALLBACK_CLOSED,
    ErrorCode.BODY_TOO_LARGE
  })
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @PostMapping(path = "/failure", consumes = MediaType.APPLICATION_JSON_VALUE)
  void fail(@PathVariable String token, @RequestBody TaskErrorBody body) {
    var bodyChecks = new BodyChecks();
    var error = body.read(bodyChecks, "");
    bodyChecks.throwIfAny();
    end(token, new WorkerEnd.Failed(error));
  }

  private void end(String token, WorkerEnd end) {
    long most = limits.resultMax().toBytes();
    if (WorkerEndCodec.bytes(end).length > most) {
      throw new ServiceException(
          ErrorCode.BODY_TOO_LARGE, "an answer may have %d bytes".formatted(most));
    }
    callbacks.end(token, end);
  }

  @Requires({})
  @Operation(operationId = "heartbeatCallback")
  @Fails({ErrorCode.CALLBACK_NOT_FOUND, ErrorCode.CALLBACK_ANSWERED, ErrorCode.CALLBACK_CLOSED})
  @PostMapping(path = "/heartbeat")
  CallbackLeaseBody heartbeat(@PathVariable String token) {
    return new CallbackLeaseBody(callbacks.heartbeat(token));
  }

  @Schema(name = "CallbackLease")
  record CallbackLeaseBody(@JsonProperty("open_until") Instant openUntil) {}

  /// Looks for the callback before the body of the request is read: bodies of strangers cost
  /// nothing.
  @Component
  static final class CallbackGuard implements HandlerInterceptor, WebMvcConfigurer {
    private final CallbackService callbacks;

    CallbackGuard(CallbackService callbacks) {
      this.callbacks = callbacks;
    }

    @Override
    public void addInterceptors(InterceptorRegistry interceptors) {
      interceptors.addInterceptor(this).addPathPatterns("/v1/callbacks/**");
    }

    @Override
    public boolean preHandle(
        HttpServletRequest request, HttpServletResponse response, Object handler) {
      var named = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
      if (named instanceof Map<?, ?> names) {
        callbacks.require(Objects.toString(names.get("token"), ""));
      }
      return true;
    }
  }
}
