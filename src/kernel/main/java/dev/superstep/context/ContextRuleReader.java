package dev.superstep.context;

import dev.superstep.context.NodeContext.Declared;
import dev.superstep.context.NodeContext.Own;
import dev.superstep.context.NodeContext.Processing;
import dev.superstep.context.NodeContextType.Standard;
import dev.superstep.context.TraceStep.Stage;
import dev.superstep.graph.Location;
import dev.superstep.graph.UncheckedValue;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads the rules of nodes and edges for prompt contexts and reports all of their errors at once
/// (P18, P19, S4-24).
public final class ContextRuleReader {
  private final ContextLibrary library;

  public ContextRuleReader(ContextLibrary library) {
    this.library = library;
  }

  /// Reads `context_type`, `context_filter` or `context_filters`, `processor_config` and
  /// `required_context` of a node; its `type` gives the defaults (P9). Other keys are none of its
  /// business.
  ///
  /// @param at of the node
  /// @return usable even with errors: invalid parts are left out
  public NodeContext node(ObjectValue definition, Location at) {
    var node = RuleValues.of(definition, at);
    var type = type(node);
    var own = own(node, type);
    var processor = processor(node, type);
    var required = RuleReader.globs(node.key("required_context"));
    return type == Standard.PASS_THROUGH && own.isNone() && required.isEmpty()
        ? NodeContext.PASS_THROUGH
        : new NodeContext(new Declared(type, own, processor, required), library.cache());
  }

  /// Reads `context_filter` of an edge; its `type` gives the default (P10).
  ///
  /// @param at of the edge
  /// @return usable even with errors: what cannot be read passes nothing
  public EdgeContext edge(ObjectValue definition, Location at) {
    var edge = RuleValues.of(definition, at);
    var written = edge.key("context_filter");
    var filter =
        written
            .object()
            .map(_ -> new EdgeFilterReader(library).read(written))
            .orElseGet(() -> EdgeContextFilter.defaultFor(type(edge, "sequence")));
    return filter instanceof EdgeContextFilter.PassAll
        ? EdgeContext.PASS_ALL
        : new EdgeContext(filter, library.cache());
  }

  /// The type, which other readers check.
  private static String type(UncheckedValue object, String absent) {
    return object.key("type").value() instanceof Value.Text(var text) ? text : absent;
  }

  private static NodeContextType type(UncheckedValue node) {
    var byDefault = NodeContextType.defaultFor(type(node, ""));
    var contextType = node.key("context_type");
    var written = contextType.text();
    if (written.isEmpty()) {
      return byDefault;
    }
    var found = NodeContextType.find(written.get());
    if (found.isEmpty()) {
      var known = new ArrayList<String>();
      for (var it : Standard.values()) {
        known.add(it.key());
      }
      contextType
          .at()
          .error(
              "invalid_value",
              "'%s' is unknown; known are %s, custom:<name>"
                  .formatted(written.get(), String.join(", ", known)));
    }
    return found.orElse(byDefault);
  }

  /// The node's own filter replaces the default one, which belongs to the default type.
  private Own own(UncheckedValue node, NodeContextType type) {
    var one = node.key("context_filter");
    var several = node.key("context_filters");
    var many = RuleValues.items(several);
    if (many.isPresent()) {
      if (!RuleValues.isAbsent(one)) {
        one.at().error("not_applicable", "a node has either context_filter or context_filters");
      }
      return new FiltersReader(library).read(several, many.get(), type);
    }
    if (one.value() instanceof ListValue) {
      return new FiltersReader(library).read(one, one.items(), type);
    }
    if (one.object().isPresent()) {
      var filter = new FilterReader(library).read(one, type);
      return new Own(Optional.of(filter), Stage.FILTER);
    }
    FilterReader.requireRules(List.of(), type, one.at());
    var nodeType = type(node, "");
    return type == NodeContextType.defaultFor(nodeType)
        ? new Own(ContextFilter.defaultFor(nodeType), Stage.DEFAULT_FILTER)
        : Own.NONE;
  }

  private Optional<Processing> processor(UncheckedValue node, NodeContextType type) {
    var config = node.key("processor_config").object();
    if (!(type instanceof NodeContextType.Custom(var name))) {
      if (config.isPresent()) {
        node.key("processor_config")
            .at()
            .error(
                "not_applicable",
                "processor_config means something only to context_type custom:<name>");
      }
      return Optional.empty();
    }
    var processor = library.processors().find(name);
    if (processor.isEmpty()) {
      node.key("context_type")
          .at()
          .error(
              "unknown_processor",
              "this server has no context processor '%s'; it has %s"
                  .formatted(name, library.processors().all().keySet()));
    }
    return processor.map(it -> new Processing(it, config.orElse(ObjectValue.empty())));
  }
}
