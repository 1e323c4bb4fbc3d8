package dev.superstep.run.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.compute.ComputePool;
import dev.superstep.database.TenantSettings;
import dev.superstep.definition.HookScheme;
import dev.superstep.expression.TriggerKind;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Scope;
import dev.superstep.json.Json;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunService;
import dev.superstep.run.trigger.HookSignature.HookRequest;
import dev.superstep.security.ActingCallers;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.net.URLDecoder;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// Starts a run for each webhook that is delivered, once: the id of the run comes of the id that
/// the sender has given to the delivery.
@Service
class HookStarts {
  private static final Logger log = LoggerFactory.getLogger(HookStarts.class);
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final int DELIVERY_CHARS_MAX = 200;

  private final InboundTriggerRows rows;
  private final HookVerifier verifier;
  private final MappedStarts mapped;
  private final ComputePool compute;
  private final RunService runs;
  private final ActingCallers acting;
  private final TenantSettings tenants;

  HookStarts(
      InboundTriggerRows rows,
      HookVerifier verifier,
      MappedStarts mapped,
      ComputePool compute,
      RunService runs,
      ActingCallers acting,
      TenantSettings tenants) {
    this.rows = rows;
    this.verifier = verifier;
    this.mapped = mapped;
    this.compute = compute;
    this.runs = runs;
    this.acting = acting;
    this.tenants = tenants;
  }

  /// What became of a delivery.
  sealed interface Delivered {
    /// @param again whether it had been delivered before
    record RunOfHook(String run, boolean again) implements Delivered {}

    /// The definition says that it starts no run.
    record LeftOut() implements Delivered {}

    /// The sender asks whether the address is the right one.
    record Challenged(Value challenge) implements Delivered {}
  }

  /// @throws ServiceException `hook_not_found`, which is also said of another tenant's
  InboundTrigger find(String tenant, String graph, String trigger) {
    if (!Tenant.isName(tenant) || (!tenants.enabled() && !isDefault(tenant))) {
      throw unknown();
    }
    var own = new Tenant(tenant).own(graph);
    return within(own, () -> rows.find(own, trigger)).orElseThrow(HookStarts::unknown);
  }

  private static boolean isDefault(String tenant) {
    return tenant.equals(Tenant.DEFAULT.name());
  }

  private static ServiceException unknown() {
    return new ServiceException(
        ErrorCode.HOOK_NOT_FOUND, "the newest version of no graph has such a webhook");
  }

  /// @throws ServiceException `invalid_signature`
  void requireHeaders(InboundTrigger hook, HookRequest request) {
    verifier.requireHeaders(hook, request);
  }

  /// @throws ServiceException if it is not signed as it should be, or starts no run
  Delivered deliver(InboundTrigger hook, HookRequest request) {
    verifier.require(hook, request);
    return deliverSigned(hook, request);
  }

  private Delivered deliverSigned(InboundTrigger hook, HookRequest request) {
    var body = compute.call(request.body().length, () -> body(request));
    if (hook.webhook().scheme() == HookScheme.SLACK
        && body instanceof ObjectValue asked
        && asked.textOrEmpty("type").equals("url_verification")) {
      return new Delivered.Challenged(asked.getOr("challenge", Value.NULL));
    }
    var delivery = delivery(hook.webhook().scheme(), request, body);
    var run = mapped.run(hook, delivery);
    if (within(hook.graph(), () -> rows.hasRun(run))) {
      return new Delivered.RunOfHook(run, true);
    }
    return compute
        .call(() -> input(hook, scope(body, request)))
        .map(it -> start(hook, run, it, delivery))
        .orElseGet(Delivered.LeftOut::new);
  }

  private static Value body(HookRequest request) {
    var type = request.headers().getOrDefault("content-type", "");
    return type.startsWith(FORM) ? form(request.body()) : Json.read(request.body());
  }

  /// Members of a form are texts; Slack and GitHub send JSON in the one that they call payload.
  private static Value form(byte[] body) {
    var members = ObjectValue.builder();
    for (var pair : new String(body, UTF_8).split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        var name = decoded(pair.substring(0, equals));
        var text = decoded(pair.substring(equals + 1));
        members.put(name, name.equals("payload") ? Json.read(text) : Value.of(text));
      }
    }
    return members.build();
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      var failure = new ServiceException(ErrorCode.BAD_REQUEST, "the form cannot be read");
      failure.initCause(e);
      throw failure;
    }
  }

  private static Scope scope(Value body, HookRequest request) {
    var headers = ObjectValue.builder();
    request.headers().forEach((name, value) -> headers.put(name, Value.of(value)));
    var all = headers.build();
    return name ->
        switch (name) {
          case "body" -> body;
          case "headers" -> all;
          default -> Value.NULL;
        };
  }

  private Optional<ObjectValue> input(InboundTrigger hook, Scope scope) {
    try {
      return mapped.matches(TriggerKind.WEBHOOK, hook.mapping(), scope)
          ? Optional.of(mapped.input(TriggerKind.WEBHOOK, hook.mapping(), scope, "body"))
          : Optional.empty();
    } catch (ExpressionException e) {
      var failure =
          new ServiceException(
              ErrorCode.INVALID_INPUT, "the mapping of the webhook fails: " + e.getMessage());
      failure.initCause(e);
      throw failure;
    }
  }

  /// What the sender calls the delivery; where it has no name, what it has signed.
  private static String delivery(HookScheme scheme, HookRequest request, Value body) {
    var named =
        switch (scheme) {
          case STANDARD -> request.headers().get("webhook-id");
          case GITHUB -> request.headers().get("x-github-delivery");
          case STRIPE -> member(body, "id");
          case SLACK -> member(body, "event_id");
        };
    return named == null || named.isEmpty() || named.length() > DELIVERY_CHARS_MAX
        ? MappedStarts.hash(HookSignature.read(scheme, request).signed())
        : named;
  }

  private static @Nullable String member(Value body, String name) {
    return body instanceof ObjectValue object ? object.textOrEmpty(name) : null;
  }

  private <T> T within(String graph, Supplier<T> work) {
    return tenants.enabled() ? Tenant.of(graph).within(work::get) : work.get();
  }

  private Delivered start(InboundTrigger hook, String run, ObjectValue input, String delivery) {
    try {
      return acting.act(hook.caller(), () -> begin(hook, run, input, delivery));
    } catch (ServiceException e) {
      if (e.code() == ErrorCode.RUN_EXISTS) {
        return new Delivered.RunOfHook(run, true);
      }
      if (e.code() == ErrorCode.FORBIDDEN) {
        log.warn("Webhook '{}.{}' starts no runs", hook.graph(), hook.trigger(), e);
        throw HookVerifier.unavailable();
      }
      throw e;
    }
  }

  private Delivered begin(InboundTrigger hook, String run, ObjectValue input, String delivery) {
    var metadata = Map.of("webhook", hook.trigger(), "delivery", delivery);
    var request = mapped.request(hook, run, input, metadata);
    var started = runs.start(runs.check(request), _ -> {});
    return new Delivered.RunOfHook(started.run(), started.replayed());
  }
}
