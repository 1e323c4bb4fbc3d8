package dev.superstep.run.check;

import dev.superstep.compute.ComputePool;
import dev.superstep.definition.Compiled;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Violations;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedStart;
import dev.superstep.run.SettingsChange;
import dev.superstep.run.StartRun;
import dev.superstep.run.webhook.WebhookService;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/// Checks a request to start a run and reports everything that is wrong with it.
@Component
public class StartChecks {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final int PRIORITY_MAX = 1000;

  private final LimitSettings server;
  private final LimitChecks limits;
  private final Expressions expressions;
  private final ComputePool compute;
  private final ParamSettings params;
  private final WebhookService webhooks;

  StartChecks(
      LimitSettings server,
      LimitChecks limits,
      Expressions expressions,
      ComputePool compute,
      ParamSettings params,
      WebhookService webhooks) {
    this.params = params;
    this.webhooks = webhooks;
    this.server = server;
    this.limits = limits;
    this.expressions = expressions;
    this.compute = compute;
  }

  /// @throws ServiceException naming every problem with its pointer
  public CheckedStart.Accepted check(StartRun request, Compiled graph) {
    var violations = new Violations();
    id(request.id(), "/id", violations);
    id(request.thread(), "/thread_id", violations);
    metadata(request.metadata(), violations);
    options(request.options(), graph, violations);
    long bytes = size(request.input(), "/input", violations);
    if (!request.edit().isEmpty()) {
      size(request.edit().value(), "/input", violations);
    }
    request.context().ifPresent(it -> context(it, violations));
    compute
        .call(bytes, () -> graph.inputCheck().check(request.input()))
        .forEach(it ->
            violations.error(
                "/input" + it.pointer(), ErrorCode.INVALID_INPUT.code(), it.message()));
    var pinned = params(request.options().params(), graph, violations);
    ServiceException.throwIfAny(violations);
    webhooks.require(request.options().webhooks());
    return new CheckedStart.Accepted(graph, pinned, Optional.empty());
  }

  private ObjectValue params(ObjectValue requested, Compiled graph, Violations violations) {
    if (requested.isEmpty() && graph.params().isEmpty()) {
      return ObjectValue.empty();
    }
    long bytes = size(requested, "/params", violations);
    return compute.call(
        bytes,
        () ->
            graph
                .params()
                .pin(requested, params.of(graph.name()), violations.root().key("params")));
  }

  private void options(StartRun.Options options, Compiled graph, Violations violations) {
    limits.check(options.limits(), "/limits", violations);
    breakpoints(options.breakpoints(), graph, violations);
    if (Math.abs(options.priority()) > PRIORITY_MAX) {
      violations.error(
          "/priority",
          ErrorCode.INVALID_VALUE.code(),
          "must be from %d to %d".formatted(-PRIORITY_MAX, PRIORITY_MAX));
    }
  }

  /// @param graph of the run that gets the settings
  /// @throws ServiceException naming what is wrong with them
  public static void settings(SettingsChange given, Compiled graph) {
    var violations = new Violations();
    breakpoints(given.over(Breakpoints.NONE), graph, violations);
    ServiceException.throwIfAny(violations);
  }

  private static void breakpoints(Breakpoints given, Compiled graph, Violations violations) {
    nodes(given.before(), graph, "/interrupt_before", violations);
    nodes(given.after(), graph, "/interrupt_after", violations);
  }

  public static void id(Optional<String> id, String pointer, Violations violations) {
    id.filter(it -> !ID.matcher(Tenant.shown(it)).matches())
        .ifPresent(_ ->
            violations.error(
                pointer,
                ErrorCode.INVALID_VALUE.code(),
                "must be 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter or digit"));
  }

  private void metadata(Map<String, String> metadata, Violations violations) {
    if (metadata.size() > server.metadata().entriesMax()) {
      violations.error(
          "/metadata",
          ErrorCode.LIMIT_EXCEEDED.code(),
          "may have at most %d entries".formatted(server.metadata().entriesMax()));
    }
    int max = server.metadata().charsMax();
    metadata.forEach((key, value) -> {
      if (key.indexOf(':') >= 0) {
        violations.error(
            Pointer.child("/metadata", key),
            ErrorCode.INVALID_VALUE.code(),
            "a key may have no colon: ?metadata=<key>:<value> could not ask for it");
      }
      if (key.isBlank() || key.length() > max || value.length() > max) {
        violations.error(
            Pointer.child("/metadata", key),
            ErrorCode.INVALID_VALUE.code(),
            "key and value may have at most %d characters, the key at least one".formatted(max));
      }
    });
  }

  private static void nodes(
      Set<String> nodes, Compiled graph, String pointer, Violations violations) {
    nodes.stream()
        .filter(it -> !it.equals("*") && !has(graph, it))
        .sorted()
        .forEach(it ->
            violations.error(
                pointer,
                ErrorCode.INVALID_VALUE.code(),
                "there is no node '%s' in this graph".formatted(it)));
  }

  private static boolean has(Compiled graph, String node) {
    return NodeId.isValid(node) && graph.program().graph().has(new NodeId(node));
  }

  private void context(ObjectValue context, Violations violations) {
    long bytes = size(context, "/context", violations);
    try {
      if (context.get("template") instanceof Value.Text template) {
        compute.call(bytes, () -> expressions.compileTemplate(template));
      }
    } catch (InvalidExpressionException e) {
      e.violations().forEach(violations.root().key("context").key("template")::error);
    }
  }

  private long size(Value value, String pointer, Violations violations) {
    long bytes = Canonical.size(value);
    if (bytes > server.inputMax().toBytes()) {
      violations.error(
          pointer,
          ErrorCode.LIMIT_EXCEEDED.code(),
          "may have at most %d bytes".formatted(server.inputMax().toBytes()));
    }
    return bytes;
  }
}
