package dev.superstep.definition.read;

import dev.superstep.context.ConditionScope;
import dev.superstep.context.ContextException;
import dev.superstep.context.NodeContext;
import dev.superstep.context.NodeContextType;
import dev.superstep.context.PromptContext;
import dev.superstep.definition.form.Item;
import dev.superstep.graph.Location;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Warns of variables that the template of the prompt context names, and that an `llm` node, whose
/// system prompt it is, can never see: a template opens nothing that a filter closes.
final class TemplateVariables {
  private static final String CONTEXT = "context";
  private static final Pattern SEGMENT = Pattern.compile("\\{\\{(.*?)}}", Pattern.DOTALL);
  private static final Pattern NAMED =
      Pattern.compile(
          "\\b(variables|context)(?:\\.([A-Za-z_]\\w*(?:\\.[A-Za-z_]\\w*)*+)(?!\\s*\\()"
              + "|\\[\\s*(?:'([^'\\\\]+)'|\"([^\"\\\\]+)\")\\s*])");

  private final PromptContext initial;
  private final Set<NamedVariable> named;

  /// @param key that is looked up
  /// @param path as written
  private record NamedVariable(String root, String key, String path) {

    /// The first step into `variables` is the key; a path into `context` is one as a whole.
    static NamedVariable ofPath(String root, String path) {
      int dot = path.indexOf('.');
      boolean whole = root.equals(CONTEXT) || dot < 0;
      return new NamedVariable(root, whole ? path : path.substring(0, dot), path);
    }

    boolean isIn(PromptContext view) {
      if (!root.equals(CONTEXT)) {
        return view.variables().has(key);
      }
      for (int end = key.length(); end > 0; end = key.lastIndexOf('.', end - 1)) {
        var prefix = key.substring(0, end);
        if (view.variables().has(prefix) || view.metadata().has(prefix)) {
          return true;
        }
      }
      return false;
    }

    /// `variables.a.b` where `a.b` was meant.
    String hint() {
      return path.equals(key)
          ? "call it prompt.%s, or give the node a context_filter that includes it".formatted(path)
          : "keys are dotted: write variables['%s']".formatted(path);
    }
  }

  private TemplateVariables(PromptContext initial) {
    this.initial = initial;
    named = named(initial.template());
  }

  /// @param nodes how the nodes take prompt contexts
  static void check(ObjectValue graph, Map<NodeId, NodeContext> nodes, Location at) {
    var variables = new TemplateVariables(ContextReader.initial(graph));
    if (variables.named.isEmpty()) {
      return;
    }
    for (var item : Item.each(graph, "nodes", at)) {
      boolean ownPrompt = item.objectOrEmpty("config").has("system");
      if (item.isText("type", "llm") && !ownPrompt) {
        item.findText("id")
            .filter(NodeId::isValid)
            .ifPresent(it ->
                variables.check(it, nodes.get(new NodeId(it)), at.key("context").key("template")));
      }
    }
  }

  private static Set<NamedVariable> named(String template) {
    var named = new LinkedHashSet<NamedVariable>();
    var segments = SEGMENT.matcher(template);
    while (segments.find()) {
      var found = NAMED.matcher(segments.group(1));
      while (found.find()) {
        var quoted = found.group(3) == null ? found.group(4) : found.group(3);
        var root = found.group(1);
        named.add(
            quoted == null
                ? NamedVariable.ofPath(root, found.group(2))
                : new NamedVariable(root, quoted, quoted));
      }
    }
    return named;
  }

  private void check(String node, @Nullable NodeContext context, Location location) {
    if (context == null || !isCertain(context)) {
      return;
    }
    for (var name : named) {
      if (!isSeen(name, context)) {
        location.warn(
            "unseen_variable",
            "node '%s' never sees '%s', which this template names; %s"
                .formatted(node, name.key(), name.hint()));
      }
    }
  }

  /// Neither the result of a processor nor that of a condition is known when a definition is
  /// posted.
  private static boolean isCertain(NodeContext context) {
    return !(context.type() instanceof NodeContextType.Custom)
        && context
            .filter()
            .filter(it -> it.rules().stream().anyMatch(rule -> rule.condition().isPresent()))
            .isEmpty();
  }

  /// Were there a variable of this name.
  private boolean isSeen(NamedVariable name, NodeContext context) {
    var there = initial.plusVariables(ObjectValue.of(name.key(), Value.NULL));
    try {
      return name.isIn(context.view(there, ConditionScope.NONE).context());
    } catch (ContextException _) {
      return true;
    }
  }
}
