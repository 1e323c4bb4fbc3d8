package dev.superstep.definition.web;

import dev.superstep.context.ConditionScope;
import dev.superstep.context.ContextException;
import dev.superstep.context.ContextLibrary;
import dev.superstep.context.ContextMerge;
import dev.superstep.context.ContextRuleReader;
import dev.superstep.context.EdgeContext;
import dev.superstep.context.Glob;
import dev.superstep.context.NodeContext;
import dev.superstep.context.PromptContext;
import dev.superstep.context.Trace;
import dev.superstep.graph.Violations;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Takes a context through edges and a node, as a run would (P17).
final class Preview {
  private final ContextRuleReader reader;

  Preview(ContextLibrary library) {
    reader = new ContextRuleReader(library);
  }

  /// The request as read, with everything that is wrong with it.
  private record ReadPreview(List<EdgeContext> edges, NodeContext node, Violations violations) {}

  /// What came over the edges, merged (P8, P9).
  private record ArrivedContext(PromptContext context, Trace trace) {}

  PreviewBody of(PreviewRequest request) {
    if (request.edge() != null && request.edges() != null) {
      throw ServiceException.at(
          "/edges", ErrorCode.INVALID_VALUE, "cannot stand beside edge; put that first among them");
    }
    var context = PreviewInput.read(request.context());
    var asked = read(request);
    var problems = FieldError.of(asked.violations().all());
    if (asked.violations().hasErrors()) {
      throw new ServiceException(
          ErrorCode.INVALID_DEFINITION, "the filters cannot be used", problems);
    }
    ConditionScope around = name -> request.scopeOrNone().getOr(name, Value.NULL);
    try {
      var arrived = arrived(request, asked.edges(), context, around);
      var node = asked.node();
      var view =
          request.node() == null
              ? arrived.context()
              : node.explain(arrived.context(), around, arrived.trace(), id(request.node().id()))
                  .context();
      var unmet = node.unmet(view).stream().map(Glob::toString).toList();
      return PreviewBody.of(view, arrived.trace(), unmet, problems);
    } catch (ContextException e) {
      throw new ServiceException(ErrorCode.INVALID_VALUE, "a run would fail: " + e.getMessage());
    }
  }

  private ReadPreview read(PreviewRequest request) {
    var violations = new Violations();
    var at = violations.root();
    var edges = new ArrayList<EdgeContext>();
    for (var edge : request.allEdges()) {
      var here = request.edge() == null ? at.key("edges").item(edges.size()) : at.key("edge");
      edges.add(reader.edge(edge.definition(), here));
    }
    var node =
        request.node() == null
            ? NodeContext.PASS_THROUGH
            : reader.node(request.node().definition(), at.key("node"));
    return new ReadPreview(edges, node, violations);
  }

  private static ArrivedContext arrived(
      PreviewRequest request,
      List<EdgeContext> edges,
      PromptContext context,
      ConditionScope around) {
    if (edges.isEmpty()) {
      return new ArrivedContext(context, Trace.of(context));
    }
    var passed = new ArrayList<PromptContext>();
    var traces = new ArrayList<Trace>();
    for (var edge : request.allEdges()) {
      var trace = Trace.of(context);
      var filter = edges.get(passed.size());
      passed.add(filter.explain(context, around, trace, id(edge.id())).context());
      traces.add(trace);
    }
    return new ArrivedContext(ContextMerge.merge(passed, context.history()), Trace.join(traces));
  }

  private static String id(@Nullable String id) {
    return Objects.requireNonNullElse(id, "");
  }
}
