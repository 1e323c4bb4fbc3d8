package dev.superstep.langgraph.thread;

import dev.superstep.compute.RequestWork;
import dev.superstep.http.openapi.Fails;
import dev.superstep.langgraph.LangGraphController;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/// Serves what the graph of an assistant looks like.
@Tag(name = "Assistants", description = "Graphs with a configuration, in versions")
@LangGraphController
@Fails({
  ErrorCode.ASSISTANT_NOT_FOUND,
  ErrorCode.GRAPH_NOT_FOUND,
  ErrorCode.VERSION_NOT_FOUND,
  ErrorCode.LIMIT_EXCEEDED,
  ErrorCode.OVERLOADED,
  ErrorCode.STORED_BY_NEWER_RELEASE
})
@RequestMapping(path = "/assistants/{assistant_id}", produces = MediaType.APPLICATION_JSON_VALUE)
class AssistantGraphController {
  private static final int DEPTH_MAX = 8;

  /// Steps for a graph that is opened: it may have to be read.
  private static final int GRAPH = 10_000;

  private final Assistants assistants;
  private final CalledGraphs called;

  AssistantGraphController(Assistants assistants, CalledGraphs called) {
    this.assistants = assistants;
    this.called = called;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphGetGraph")
  @GetMapping("/graph")
  ObjectValue graph(
      @PathVariable("assistant_id") String assistant,
      @RequestParam(name = "xray", required = false) @Nullable String xray) {
    return new GraphForm(called).write(graphOf(assistants.find(assistant)), depth(xray));
  }

  private static int depth(@Nullable String xray) {
    if (xray == null || xray.isEmpty() || xray.equalsIgnoreCase("false")) {
      return 0;
    }
    if (xray.equalsIgnoreCase("true")) {
      return DEPTH_MAX;
    }
    if (xray.matches("[0-9]{1,4}")) {
      return Math.min(DEPTH_MAX, Integer.parseInt(xray));
    }
    throw ServiceException.at(
        "?xray", ErrorCode.INVALID_PARAMETER, "must be true, false or a depth");
  }

  private DefinedGraph graphOf(Assistant assistant) {
    return called
        .newest(assistant.graph())
        .orElseThrow(() ->
            new ServiceException(
                ErrorCode.GRAPH_NOT_FOUND, "there is no graph '%s'".formatted(assistant.graph())));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphGetSchemas")
  @GetMapping("/schemas")
  ObjectValue schemas(@PathVariable("assistant_id") String assistant) {
    var found = assistants.find(assistant);
    return GraphSchemas.of(Tenant.shown(found.graph()), graphOf(found));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphGetSubgraphs")
  @GetMapping({"/subgraphs", "/subgraphs/{namespace}"})
  ObjectValue subgraphs(
      @PathVariable("assistant_id") String assistant,
      @PathVariable(name = "namespace", required = false) @Nullable String namespace,
      @RequestParam(name = "recurse", required = false) @Nullable String recurse) {
    boolean deep = "true".equalsIgnoreCase(recurse) || "1".equals(recurse);
    var found = ObjectValue.builder();
    var work = RequestWork.current();
    collect(
        graphOf(assistants.find(assistant)),
        "",
        deep || namespace != null ? DEPTH_MAX : 1,
        work,
        (path, inner) -> {
          if (namespace == null
              || path.equals(namespace)
              || (deep && path.startsWith(namespace + "|"))) {
            var schemas = GraphSchemas.ofSubgraph(path, inner);
            work.accept(Canonical.size(schemas));
            found.put(path, schemas);
          }
        });
    return found.build();
  }

  private void collect(
      DefinedGraph graph,
      String prefix,
      int depth,
      RequestWork work,
      BiConsumer<String, DefinedGraph> found) {
    work.accept(GRAPH);
    called
        .of(graph)
        .forEach((node, inner) -> {
          found.accept(prefix + node, inner);
          if (depth > 1) {
            collect(inner, prefix + node + "|", depth - 1, work, found);
          }
        });
  }
}
