package dev.superstep.run;

import dev.superstep.compute.ComputePool;
import dev.superstep.definition.Compiled;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.NodeId;
import dev.superstep.json.Pointer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.Canonical;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/// What can be wrong with a request to start a run, all of it at once.
@Component
class StartChecks {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final int PRIORITY_MAX = 1000;

  private final LimitSettings server;
  private final LimitChecks limits;
  private final Expressions expressions;
  private final ComputePool compute;

  StartChecks(
      LimitSettings server, LimitChecks limits, Expressions expressions, ComputePool compute) {
    this.server = server;
    this.limits = limits;
    this.expressions = expressions;
    this.compute = compute;
  }

  /// @throws ServiceException naming every problem with its pointer
  void check(StartRun request, Compiled graph) {
    var complaints = new Complaints();
    id(request.id(), "/id", complaints);
    id(request.thread(), "/thread_id", complaints);
    metadata(request.metadata(), complaints);
    options(request.options(), graph, complaints);
    int bytes = size(request.input(), "/input", complaints);
    request.context().ifPresent(it -> context(it, complaints));
    compute
        .call(bytes, () -> graph.inputCheck().check(request.input()))
        .forEach(
            it -> complaints.add("/input" + it.pointer(), ErrorCode.INVALID_INPUT, it.message()));
    complaints.throwIfAny();
  }

  private void options(StartRun.Options options, Compiled graph, Complaints complaints) {
    limits.check(options.limits(), "/limits", complaints);
    nodes(options.breakpoints().before(), graph, "/interrupt_before", complaints);
    nodes(options.breakpoints().after(), graph, "/interrupt_after", complaints);
    if (Math.abs(options.priority()) > PRIORITY_MAX) {
      complaints.add(
          "/priority",
          ErrorCode.INVALID_VALUE,
          "must be from %d to %d".formatted(-PRIORITY_MAX, PRIORITY_MAX));
    }
    switch (options.durability()) {
      case "sync", "async", "exit" -> {}
      default ->
          complaints.add("/durability", ErrorCode.INVALID_VALUE, "must be sync, async or exit");
    }
  }

  static void id(Optional<String> id, String pointer, Complaints complaints) {
    id.filter(it -> !ID.matcher(it).matches())
        .ifPresent(_ ->
            complaints.add(
                pointer,
                ErrorCode.INVALID_VALUE,
                "must be 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter or digit"));
  }

  private void metadata(Map<String, String> metadata, Complaints complaints) {
    if (metadata.size() > server.metadata().entriesMax()) {
      complaints.add(
          "/metadata",
          ErrorCode.LIMIT_EXCEEDED,
          "may have at most %d entries".formatted(server.metadata().entriesMax()));
    }
    int max = server.metadata().charsMax();
    metadata.forEach((key, value) -> {
      if (key.indexOf(':') >= 0) {
        complaints.add(
            Pointer.child("/metadata", key),
            ErrorCode.INVALID_VALUE,
            "a key may have no colon: ?metadata=<key>:<value> could not ask for it");
      }
      if (key.isBlank() || key.length() > max || value.length() > max) {
        complaints.add(
            Pointer.child("/metadata", key),
            ErrorCode.INVALID_VALUE,
            "key and value may have at most %d characters, the key at least one".formatted(max));
      }
    });
  }

  private static void nodes(
      Set<String> nodes, Compiled graph, String pointer, Complaints complaints) {
    nodes.stream()
        .filter(it -> !it.equals("*") && !has(graph, it))
        .sorted()
        .forEach(it ->
            complaints.add(
                pointer,
                ErrorCode.INVALID_VALUE,
                "there is no node '%s' in this graph".formatted(it)));
  }

  private static boolean has(Compiled graph, String node) {
    return NodeId.isValid(node) && graph.program().graph().has(new NodeId(node));
  }

  private void context(ObjectValue context, Complaints complaints) {
    int bytes = size(context, "/context", complaints);
    try {
      if (context.get("template") instanceof Value.Text template) {
        compute.call(bytes, () -> expressions.compileTemplate(template));
      }
    } catch (InvalidExpressionException e) {
      e.problems()
          .forEach(it ->
              complaints.add(
                  new FieldError(
                      "/context/template" + it.pointer(),
                      ErrorCode.INVALID_EXPRESSION.code(),
                      it.message(),
                      it.line(),
                      it.column())));
    }
  }

  private int size(ObjectValue value, String pointer, Complaints complaints) {
    int bytes = Canonical.bytes(value).length;
    if (bytes > server.inputMax().toBytes()) {
      complaints.add(
          pointer,
          ErrorCode.LIMIT_EXCEEDED,
          "may have at most %d bytes".formatted(server.inputMax().toBytes()));
    }
    return bytes;
  }
}
