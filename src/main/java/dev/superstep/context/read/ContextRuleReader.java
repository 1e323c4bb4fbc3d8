package dev.superstep.context.read;

import dev.superstep.context.ContextProblem;
import dev.superstep.context.Glob;
import dev.superstep.context.filter.ContextFilter;
import dev.superstep.context.filter.ContextLibrary;
import dev.superstep.context.filter.EdgeContext;
import dev.superstep.context.filter.EdgeContextFilter;
import dev.superstep.context.filter.NodeContext;
import dev.superstep.context.filter.NodeContext.Declared;
import dev.superstep.context.filter.NodeContext.Own;
import dev.superstep.context.filter.NodeContext.Processing;
import dev.superstep.context.filter.NodeContextType;
import dev.superstep.context.filter.NodeContextType.Standard;
import dev.superstep.context.trace.TraceStep.Stage;
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

  /// The result of reading. It is usable even with errors: invalid parts are left out.
  public record Read<T>(T value, List<ContextProblem> problems) {
    public Read {
      problems = List.copyOf(problems);
    }

    public boolean isValid() {
      return problems.stream().noneMatch(ContextProblem::isError);
    }
  }

  /// Reads `context_type`, `context_filter` or `context_filters`, `processor_config` and
  /// `required_context` of a node; its `type` gives the defaults (P9). Other keys are none of its
  /// business. Pointers begin at the node.
  public Read<NodeContext> node(ObjectValue node) {
    var ruleNotes = new RuleNotes();
    var type = type(node, ruleNotes);
    var own = own(node, type, ruleNotes);
    var processor = processor(node, type, ruleNotes.at("/processor_config"));
    var required = required(node, ruleNotes.at("/required_context"));
    boolean plain = type == Standard.PASS_THROUGH && own.isNone() && required.isEmpty();
    return new Read<>(
        plain
            ? NodeContext.PASS_THROUGH
            : new NodeContext(new Declared(type, own, processor, required), library.cache()),
        ruleNotes.all());
  }

  /// Reads `context_filter` of an edge; its `type` gives the default (P10). Pointers begin at the
  /// edge.
  public Read<EdgeContext> edge(ObjectValue edge) {
    var ruleNotes = new RuleNotes();
    var type = text(edge, "type").orElse("sequence");
    var at = ruleNotes.at("/context_filter");
    var filter =
        at.object(edge.get("context_filter"))
            .map(it -> new EdgeFilterReader(library, at).read(it))
            .orElseGet(() -> EdgeContextFilter.defaultFor(type));
    return new Read<>(
        filter instanceof EdgeContextFilter.PassAll
            ? EdgeContext.PASS_ALL
            : new EdgeContext(filter, library.cache()),
        ruleNotes.all());
  }

  private static Optional<String> text(ObjectValue object, String key) {
    return object.get(key) instanceof Value.Text(var text) ? Optional.of(text) : Optional.empty();
  }

  private static NodeContextType type(ObjectValue node, RuleNotes ruleNotes) {
    var byDefault = NodeContextType.defaultFor(text(node, "type").orElse(""));
    var at = ruleNotes.at("/context_type");
    var written = at.text(node.get("context_type"));
    if (written.isEmpty()) {
      return byDefault;
    }
    var found = NodeContextType.find(written.get());
    if (found.isEmpty()) {
      var known = new ArrayList<String>();
      for (var it : Standard.values()) {
        known.add(it.key());
      }
      at.error(
          "invalid_value",
          "'%s' is unknown; known are %s, custom:<name>"
              .formatted(written.get(), String.join(", ", known)));
    }
    return found.orElse(byDefault);
  }

  /// The node's own filter replaces the default one, which belongs to the default type.
  private Own own(ObjectValue node, NodeContextType type, RuleNotes ruleNotes) {
    var at = ruleNotes.at("/context_filter");
    var many = ruleNotes.at("/context_filters").list(node.get("context_filters"));
    if (many.isPresent()) {
      if (!RuleNotes.isAbsent(node.get("context_filter"))) {
        at.error("not_applicable", "a node has either context_filter or context_filters");
      }
      return new FiltersReader(library, ruleNotes.at("/context_filters")).read(many.get(), type);
    }
    if (node.get("context_filter") instanceof ListValue list) {
      return new FiltersReader(library, at).read(list, type);
    }
    var written = at.object(node.get("context_filter"));
    if (written.isPresent()) {
      var filter = new FilterReader(library, at).read(written.get(), type);
      return new Own(Optional.of(filter), Stage.FILTER);
    }
    FilterReader.requireRules(List.of(), type, at);
    var nodeType = text(node, "type").orElse("");
    return type == NodeContextType.defaultFor(nodeType)
        ? new Own(ContextFilter.defaultFor(nodeType), Stage.DEFAULT_FILTER)
        : Own.NONE;
  }

  private Optional<Processing> processor(ObjectValue node, NodeContextType type, RuleNotes at) {
    var config = at.object(node.get("processor_config"));
    if (!(type instanceof NodeContextType.Custom(var name))) {
      if (config.isPresent()) {
        at.error(
            "not_applicable",
            "processor_config means something only to context_type custom:<name>");
      }
      return Optional.empty();
    }
    var processor = library.processors().find(name);
    if (processor.isEmpty()) {
      at.beside("/context_type")
          .error(
              "unknown_processor",
              "this server has no context processor '%s'; it has %s"
                  .formatted(name, library.processors().all().keySet()));
    }
    return processor.map(it -> new Processing(it, config.orElse(ObjectValue.empty())));
  }

  private static List<Glob> required(ObjectValue node, RuleNotes at) {
    return at.list(node.get("required_context"))
        .map(it -> RuleReader.globs(it, at))
        .orElse(List.of());
  }
}
