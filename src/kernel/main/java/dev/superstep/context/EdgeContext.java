package dev.superstep.context;

import dev.superstep.context.PartFilter.GlobRule;
import dev.superstep.context.Trace.Reason;
import dev.superstep.context.TraceStep.Stage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;

/// An edge's filter, ready to use from several threads (P10, P11, S4-10).
public final class EdgeContext {
  public static final EdgeContext PASS_ALL =
      new EdgeContext(new EdgeContextFilter.PassAll(), ContextCache.NONE);
  private static final Reason NOTHING = new Reason("/type", "pass_none passes only the template");
  private static final Reason FALSE =
      new Reason("/condition", "the condition is false: only the template passes");
  private final EdgeContextFilter filter;
  private final PartFilters partFilters;
  private final TransformPipeline transformPipeline;
  private final CacheUse cacheUse;

  public EdgeContext(EdgeContextFilter filter, ContextCache cache) {
    this.filter = filter;
    partFilters = new PartFilters(partFilters(filter));
    transformPipeline = new TransformPipeline(ops(filter));
    cacheUse = new CacheUse(cache, FilterKey.of(filter));
  }

  public EdgeContextFilter filter() {
    return filter;
  }

  /// Whether everything passes as it is.
  public boolean isTransparent() {
    return filter instanceof EdgeContextFilter.PassAll;
  }

  /// What passes of `context`, the outgoing context of the edge's source.
  ///
  /// @throws ContextException if a transform fails
  public View view(PromptContext context, ConditionScope scope) {
    if (isTransparent()) {
      return View.of(context);
    }
    var activeRules = activeRules(context, scope);
    return new View(
        cacheUse.get(context, activeRules, () -> pass(context, activeRules, Trace.OFF)),
        activeRules.failures());
  }

  /// The same, with a reason for every item.
  ///
  /// @param edge its id, for the reasons
  public View explain(PromptContext context, ConditionScope scope, Trace trace, String edge) {
    var activeRules = activeRules(context, scope);
    trace.at(Stage.EDGE).from(edge);
    trace.failed(activeRules.failures());
    return new View(pass(context, activeRules, trace), activeRules.failures());
  }

  private ActiveRules activeRules(PromptContext context, ConditionScope scope) {
    return filter instanceof EdgeContextFilter.Conditional(var condition, _)
        ? ActiveRules.of(condition, context, scope)
        : new ActiveRules(new BitSet(), List.of());
  }

  private PromptContext pass(PromptContext context, ActiveRules activeRules, Trace trace) {
    return switch (filter) {
      case EdgeContextFilter.PassAll _, EdgeContextFilter.Selective _ ->
          partFilters.apply(context, trace);
      case EdgeContextFilter.PassNone _ -> PartFilters.templateOnly(context, trace, NOTHING);
      case EdgeContextFilter.Conditional _ ->
          activeRules.active().get(0)
              ? partFilters.apply(context, trace)
              : PartFilters.templateOnly(context, trace, FALSE);
      case EdgeContextFilter.EdgeTransform _ -> transformPipeline.apply(context, trace);
    };
  }

  /// Whether variables that a node of this type takes can pass (S4-9 `supportsContextType`). False
  /// only where patterns prove it: the start of no include fits that of a type's.
  public boolean supportsContextType(NodeContextType type) {
    var patterns =
        switch (filter) {
          case EdgeContextFilter.Selective(var it) -> it;
          case EdgeContextFilter.Conditional(_, var it) -> it;
          case EdgeContextFilter.PassAll _,
              EdgeContextFilter.PassNone _,
              EdgeContextFilter.EdgeTransform _ ->
              null;
        };
    return patterns == null
        || !patterns.target().covers(Part.VARIABLES)
        || NodeContextType.mayTake(type, patterns.includes());
  }

  private static EnumMap<Part, PartFilter> partFilters(EdgeContextFilter filter) {
    return switch (filter) {
      case EdgeContextFilter.Selective(var patterns) -> partFilters(patterns);
      case EdgeContextFilter.Conditional(_, var patterns) -> partFilters(patterns);
      case EdgeContextFilter.PassAll _,
          EdgeContextFilter.PassNone _,
          EdgeContextFilter.EdgeTransform _ ->
          new EnumMap<>(Part.class);
    };
  }

  private static EnumMap<Part, PartFilter> partFilters(EdgeContextFilter.Patterns patterns) {
    var open = patterns.includes().isEmpty();
    var partFilter =
        new PartFilter(
            rules(patterns.includes(), "/include_patterns/", "include "),
            rules(patterns.excludes(), "/exclude_patterns/", "exclude "),
            open ? DefaultBehavior.PASS : DefaultBehavior.BLOCK,
            open
                ? new Reason("/exclude_patterns", "no exclude pattern matches")
                : new Reason("/include_patterns", "no include pattern matches"));
    var partFilters = new EnumMap<Part, PartFilter>(Part.class);
    for (var part : Part.values()) {
      if (patterns.target().covers(part)) {
        partFilters.put(part, partFilter);
      }
    }
    return partFilters;
  }

  private static List<GlobRule> rules(List<Glob> globs, String pointer, String verb) {
    var rules = new ArrayList<GlobRule>();
    for (var glob : globs) {
      rules.add(new GlobRule(glob, new Reason(pointer + rules.size(), verb + glob)));
    }
    return rules;
  }

  private static List<TransformPipeline.Op> ops(EdgeContextFilter filter) {
    var ops = new ArrayList<TransformPipeline.Op>();
    if (filter instanceof EdgeContextFilter.EdgeTransform(var rules, var transformTarget)) {
      for (var rule : rules) {
        var says =
            "%s becomes %s%s"
                .formatted(
                    rule.source(),
                    rule.target(),
                    rule.call().map(it -> ", " + it.source()).orElse(""));
        ops.add(
            new TransformPipeline.Op(
                rule.source(),
                transformTarget,
                Optional.of(rule.target()).filter(it -> !it.equals(rule.source().toString())),
                rule.call(),
                new Reason("/transform_rules/" + ops.size(), says)));
      }
    }
    return ops;
  }
}
