package dev.superstep.prompt.web;

import dev.superstep.context.ContextException;
import dev.superstep.context.ContextLibrary;
import dev.superstep.context.ContextProblem;
import dev.superstep.context.ContextRuleReader;
import dev.superstep.context.ContextRuleReader.Read;
import dev.superstep.context.EdgeContext;
import dev.superstep.context.Glob;
import dev.superstep.context.NodeContext;
import dev.superstep.context.Surroundings;
import dev.superstep.context.Trace;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.Value;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Leads a context through an edge and a node, as a run would (P17).
final class Preview {
  private static final Read<EdgeContext> NO_EDGE = new Read<>(EdgeContext.PASS_ALL, List.of());
  private static final Read<NodeContext> NO_NODE = new Read<>(NodeContext.PASS_THROUGH, List.of());

  private final ContextRuleReader reader;

  Preview(ContextLibrary library) {
    reader = new ContextRuleReader(library);
  }

  PreviewBody of(PreviewRequest request) {
    var context = PreviewInput.read(request.context());
    var edge = request.edge();
    var node = request.node();
    var edgeRead = edge == null ? NO_EDGE : reader.edge(edge.definition());
    var nodeRead = node == null ? NO_NODE : reader.node(node.definition());
    var problems = Stream.concat(errors("/edge", edgeRead), errors("/node", nodeRead)).toList();
    if (!edgeRead.isValid() || !nodeRead.isValid()) {
      throw new ServiceException(
          ErrorCode.INVALID_DEFINITION, "the filters cannot be used", problems);
    }
    Surroundings around = name -> request.scopeOrNone().getOr(name, Value.NULL);
    var trace = Trace.of(context);
    try {
      var passed =
          edge == null
              ? context
              : edgeRead.value().explain(context, around, trace, id(edge.id())).context();
      var view =
          node == null
              ? passed
              : nodeRead.value().explain(passed, around, trace, id(node.id())).context();
      var unmet = nodeRead.value().unmet(view).stream().map(Glob::toString).toList();
      return PreviewBody.of(view, trace, unmet, problems);
    } catch (ContextException e) {
      throw new ServiceException(ErrorCode.INVALID_VALUE, "a run would fail: " + e.getMessage());
    }
  }

  private static String id(@Nullable String id) {
    return Objects.requireNonNullElse(id, "");
  }

  private static Stream<FieldError> errors(String prefix, Read<?> read) {
    return read.problems().stream().map(it -> error(prefix, it));
  }

  private static FieldError error(String prefix, ContextProblem problem) {
    var pointer = prefix + problem.pointer();
    return problem.line() == 0
        ? new FieldError(pointer, problem.code(), problem.message())
        : new FieldError(
            pointer, problem.code(), problem.message(), problem.line(), problem.column());
  }
}
