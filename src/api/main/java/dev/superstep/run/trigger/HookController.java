package dev.superstep.run.trigger;

import dev.superstep.http.RawBodies;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.trigger.HookSignature.HookRequest;
import dev.superstep.run.trigger.HookStarts.Delivered;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Takes webhooks. It needs no key: the signature of the sender is the right to start a run. In the
/// OpenAPI document it is not, for what is sent there is of the sender's form.
@RestController
class HookController {
  private static final int HEADERS_MAX = 100;

  /// Strangers may send bodies here: they hold a part of what all bodies may take, and not for
  /// long.
  private static final int READING_MAX = 16;

  private static final Duration BODY_TIME = Duration.ofSeconds(10);

  /// They are for this server, and not for graphs.
  private static final Set<String> KEPT_BACK = Set.of("authorization", "cookie");

  private final HookStarts hooks;
  private final RawBodies bodies;
  private final int bodyMax;
  private final Semaphore reading = new Semaphore(READING_MAX);

  HookController(HookStarts hooks, RawBodies bodies, HookSettings settings) {
    this.hooks = hooks;
    this.bodies = bodies;
    this.bodyMax = Math.toIntExact(settings.bodyMax().toBytes());
  }

  @Requires({})
  @Operation(operationId = "receiveWebhook", hidden = true)
  @PostMapping(
      path = "/v1/hooks/{tenant}/{graph}/{trigger}",
      produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<ObjectValue> receive(
      @PathVariable String tenant,
      @PathVariable String graph,
      @PathVariable String trigger,
      HttpServletRequest request)
      throws IOException {
    var hook = hooks.find(tenant, graph, trigger);
    var headers = headers(request);
    hooks.requireHeaders(hook, new HookRequest(headers, new byte[0]));
    if (!reading.tryAcquire()) {
      throw new ServiceException(
          ErrorCode.OVERLOADED, "too many webhooks are being read; send it again");
    }
    byte[] body;
    try {
      body = bodies.read(request, bodyMax, HookSettings.BODY_MAX, BODY_TIME);
    } finally {
      reading.release();
    }
    return answer(hooks.deliver(hook, new HookRequest(headers, body)));
  }

  private static Map<String, String> headers(HttpServletRequest request) {
    var headers = new HashMap<String, String>();
    for (var names = request.getHeaderNames(); names.hasMoreElements(); ) {
      var name = names.nextElement();
      var lower = name.toLowerCase(Locale.ROOT);
      if (!KEPT_BACK.contains(lower) && headers.size() < HEADERS_MAX) {
        headers.put(lower, request.getHeader(name));
      }
    }
    return headers;
  }

  private static ResponseEntity<ObjectValue> answer(Delivered delivered) {
    return switch (delivered) {
      case Delivered.RunOfHook(var run, var again) ->
          ResponseEntity.status(again ? HttpStatus.OK : HttpStatus.ACCEPTED)
              .body(ObjectValue.of("run_id", Value.of(Tenant.shown(run))));
      case Delivered.LeftOut _ -> ResponseEntity.ok(ObjectValue.of("skipped", Value.TRUE));
      case Delivered.Challenged(var challenge) ->
          ResponseEntity.ok(ObjectValue.of("challenge", challenge));
    };
  }
}
