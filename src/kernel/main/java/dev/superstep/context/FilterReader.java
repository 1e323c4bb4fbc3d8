package dev.superstep.context;

import dev.superstep.context.NodeContextType.Standard;
import dev.superstep.graph.Location;
import dev.superstep.graph.UncheckedValue;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Reads the `context_filter` of a node (P5, P18).
final class FilterReader {
  private static final Set<String> KEYS =
      new TreeSet<>(Set.of("rules", "default_behavior", "priority"));
  private final RuleReader rules;

  FilterReader(ContextLibrary library) {
    rules = new RuleReader(library);
  }

  /// @param type of the node, which may need certain rules
  ContextFilter read(UncheckedValue filter, NodeContextType type) {
    var read = readOneOfMany(filter, type);
    requireRules(read.rules(), type, filter.key("rules").at());
    warnOfType(read, type, filter.at());
    return read;
  }

  /// Without a look at what the type needs.
  ContextFilter readOneOfMany(UncheckedValue filter, NodeContextType type) {
    RuleValues.requireKeys(filter, KEYS, "a context filter");
    var read = new ArrayList<FilterRule>();
    for (var rule : RuleValues.items(filter.key("rules")).orElse(List.of())) {
      rules.read(rule).ifPresent(read::add);
    }
    var behavior = behavior(filter.key("default_behavior"), type);
    warn(read, behavior, type, filter.at());
    return ContextFilter.of(read, behavior, priority(filter));
  }

  private static DefaultBehavior behavior(UncheckedValue behaviorName, NodeContextType type) {
    var byType = type == Standard.FILTER_IN ? DefaultBehavior.BLOCK : DefaultBehavior.PASS;
    var written = behaviorName.text();
    if (written.isEmpty()) {
      return byType;
    }
    if (!written.get().equals("pass") && !written.get().equals("block")) {
      behaviorName
          .at()
          .error(
              "invalid_value", "'%s' is unknown; known are pass, block".formatted(written.get()));
      return DefaultBehavior.BLOCK;
    }
    var behavior = written.get().equals("pass") ? DefaultBehavior.PASS : DefaultBehavior.BLOCK;
    if ((type == Standard.FILTER_IN || type == Standard.FILTER_OUT) && behavior != byType) {
      behaviorName
          .at()
          .error(
              "invalid_value",
              "the default of %s is %s; remove it or choose another context_type"
                  .formatted(type.key(), byType.key()));
    }
    return behavior;
  }

  static double priority(UncheckedValue filter) {
    var priority = filter.key("priority");
    return switch (priority.find().orElse(Value.NULL)) {
      case Value.Int(var number) -> number;
      case Value.Real(var number) -> number;
      case Value.Null _ -> 0;
      case Value.Bool _, Value.Text _, ListValue _, ObjectValue _ -> {
        priority.at().error("wrong_type", "must be a number");
        yield 0;
      }
    };
  }

  /// @param rules none if the node has no filter
  static void requireRules(List<FilterRule> rules, NodeContextType type, Location at) {
    var needed = needed(type);
    if (needed.isPresent() && rules.stream().noneMatch(needed.get()::isInstance)) {
      at.error(
          "missing_field",
          "%s needs a context_filter with at least one %s rule"
              .formatted(type.key(), needed.get().getSimpleName().toLowerCase(Locale.ROOT)));
    }
  }

  /// A filter that includes nothing of what the type takes is a mistake most of the time. It is no
  /// error: template, metadata and history arrive (P8).
  static void warnOfType(ContextFilter filter, NodeContextType type, Location at) {
    if (!filter.supportsContextType(type)) {
      at.warn(
          "no_effect",
          "nothing that it includes is among the variables of context_type %s, which are %s"
              .formatted(type.key(), NodeContextType.variables(type)));
    }
  }

  private static Optional<Class<? extends FilterRule>> needed(NodeContextType type) {
    return switch (type) {
      case Standard.FILTER_IN -> Optional.of(FilterRule.Include.class);
      case Standard.FILTER_OUT -> Optional.of(FilterRule.Exclude.class);
      case Standard.TRANSFORM -> Optional.of(FilterRule.Transform.class);
      case NodeContextType.Standard _, NodeContextType.Custom _ -> Optional.empty();
    };
  }

  private static void warn(
      List<FilterRule> read, DefaultBehavior behavior, NodeContextType type, Location at) {
    boolean includes = false;
    for (int i = 0; i < read.size(); i++) {
      if (read.get(i) instanceof FilterRule.Include) {
        includes = true;
        if (behavior == DefaultBehavior.PASS) {
          at.key("rules")
              .item(i)
              .warn(
                  "no_effect",
                  "an include has no effect where the default is to pass, and excludes win against"
                      + " it; say default_behavior: block");
        }
      }
    }
    if (!includes && behavior == DefaultBehavior.BLOCK && type != Standard.FILTER_IN) {
      at.warn("no_effect", "a filter that blocks and includes nothing lets no variable through");
    }
  }
}
