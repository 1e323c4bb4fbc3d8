package dev.superstep.context.read;

import dev.superstep.context.FilterRule;
import dev.superstep.context.filter.ContextFilter;
import dev.superstep.context.filter.ContextLibrary;
import dev.superstep.context.filter.DefaultBehavior;
import dev.superstep.context.filter.NodeContextType;
import dev.superstep.context.filter.NodeContextType.Standard;
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
  private final RuleNotes at;
  private final RuleReader rules;

  FilterReader(ContextLibrary library, RuleNotes at) {
    this.at = at;
    rules = new RuleReader(library);
  }

  /// @param type of the node, which may need certain rules
  ContextFilter read(ObjectValue filter, NodeContextType type) {
    var read = readOneOfMany(filter, type);
    requireRules(read.rules(), type, at.at("/rules"));
    warnOfType(read, type, at);
    return read;
  }

  /// Without a look at what the type needs.
  ContextFilter readOneOfMany(ObjectValue filter, NodeContextType type) {
    at.requireKeys(filter, KEYS, "a context filter");
    var read = new ArrayList<FilterRule>();
    var list = at.at("/rules").list(filter.get("rules")).orElse(ListValue.empty());
    for (int i = 0; i < list.size(); i++) {
      rules.read(list.get(i), at.at("/rules/" + i)).ifPresent(read::add);
    }
    var behavior = behavior(filter, type);
    warn(read, behavior, type);
    return ContextFilter.of(read, behavior, priority(filter));
  }

  private DefaultBehavior behavior(ObjectValue filter, NodeContextType type) {
    var byType = type == Standard.FILTER_IN ? DefaultBehavior.BLOCK : DefaultBehavior.PASS;
    var ruleNotes = at.at("/default_behavior");
    var written = ruleNotes.text(filter.get("default_behavior"));
    if (written.isEmpty()) {
      return byType;
    }
    if (!written.get().equals("pass") && !written.get().equals("block")) {
      ruleNotes.error(
          "invalid_value", "'%s' is unknown; known are pass, block".formatted(written.get()));
      return DefaultBehavior.BLOCK;
    }
    var behavior = written.get().equals("pass") ? DefaultBehavior.PASS : DefaultBehavior.BLOCK;
    if ((type == Standard.FILTER_IN || type == Standard.FILTER_OUT) && behavior != byType) {
      ruleNotes.error(
          "invalid_value",
          "the default of %s is %s; remove it or choose another context_type"
              .formatted(type.key(), byType.key()));
    }
    return behavior;
  }

  double priority(ObjectValue filter) {
    return switch (filter.getOr("priority", Value.NULL)) {
      case Value.Int(var number) -> number;
      case Value.Real(var number) -> number;
      case Value.Null _ -> 0;
      case Value.Bool _, Value.Text _, ListValue _, ObjectValue _ -> {
        at.at("/priority").error("wrong_type", "must be a number");
        yield 0;
      }
    };
  }

  /// @param rules none if the node has no filter
  static void requireRules(List<FilterRule> rules, NodeContextType type, RuleNotes at) {
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
  static void warnOfType(ContextFilter filter, NodeContextType type, RuleNotes at) {
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

  private void warn(List<FilterRule> read, DefaultBehavior behavior, NodeContextType type) {
    boolean includes = false;
    for (int i = 0; i < read.size(); i++) {
      if (read.get(i) instanceof FilterRule.Include) {
        includes = true;
        if (behavior == DefaultBehavior.PASS) {
          at.at("/rules/" + i)
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
