package dev.superstep.context;

import dev.superstep.context.PartFilter.GlobRule;
import dev.superstep.context.Trace.Reason;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Selects what a node takes of a prompt context (P5, S4-11). An item is kept if an include matches
/// it, or none does and the default is to pass, and no exclude matches it. Transforms run last.
///
/// The default governs variables; metadata and history only where an include or exclude targets
/// them, whether or not its condition holds: a condition can never open what a filter closes.
public final class ContextFilter {
  private final List<FilterRule> rules;
  private final DefaultBehavior defaultBehavior;
  private final double priority;
  private final List<String> pointers;
  private final List<Optional<ContextCondition>> conditions;
  private final Layout whole;

  private record Layout(PartFilters partFilters, TransformPipeline transformPipeline) {}

  /// @param pointers of the rules in the definition, as JSON pointers
  private ContextFilter(
      List<FilterRule> rules,
      DefaultBehavior defaultBehavior,
      double priority,
      List<String> pointers) {
    this.rules = List.copyOf(rules);
    this.pointers = List.copyOf(pointers);
    this.defaultBehavior = defaultBehavior;
    this.priority = priority;
    conditions = this.rules.stream().map(FilterRule::condition).toList();
    whole = layout(all());
  }

  public static ContextFilter of(List<FilterRule> rules, DefaultBehavior behavior) {
    return of(rules, behavior, 0);
  }

  /// @param priority a higher one comes first (P7)
  public static ContextFilter of(
      List<FilterRule> rules, DefaultBehavior behavior, double priority) {
    var pointers = IntStream.range(0, rules.size()).mapToObj(it -> "/rules/" + it).toList();
    return new ContextFilter(rules, behavior, priority, pointers);
  }

  /// This filter as one of several of a node.
  ///
  /// @param pointer to it in the list
  public ContextFilter under(String pointer) {
    return new ContextFilter(
        rules, defaultBehavior, priority, pointers.stream().map(it -> pointer + it).toList());
  }

  /// Several filters of a node as one (P7); empty if there are none.
  public static Optional<ContextFilter> merged(List<ContextFilter> filters) {
    return inOrder(filters).stream().reduce(ContextFilter::merge);
  }

  /// The filter that nodes of a type have unless they have their own (P9, S4-16 to S4-18). Empty
  /// for types that need none.
  public static Optional<ContextFilter> defaultFor(String nodeType) {
    return switch (nodeType) {
      case "llm" ->
          Optional.of(
              of(
                  List.of(
                      FilterRule.include("llm.*"),
                      FilterRule.include("prompt.*"),
                      FilterRule.exclude("tool.*")),
                  DefaultBehavior.BLOCK));
      case "tool" ->
          Optional.of(
              of(
                  List.of(FilterRule.include("tool.*"), FilterRule.include("function.*")),
                  DefaultBehavior.BLOCK));
      default -> Optional.empty();
    };
  }

  public List<FilterRule> rules() {
    return rules;
  }

  public DefaultBehavior defaultBehavior() {
    return defaultBehavior;
  }

  public double priority() {
    return priority;
  }

  /// What passes this filter. Its conditions see `context`.
  ///
  /// @throws ContextException if a transform fails
  public View apply(PromptContext context, ConditionScope scope) {
    var activeRules = activeRules(context, scope);
    return new View(apply(context, activeRules, Trace.OFF), activeRules.failures());
  }

  /// Whether it leaves a node of this type variables that the type takes, as
  /// [EdgeContext#supportsContextType] of an edge.
  public boolean supportsContextType(NodeContextType type) {
    var includes =
        rules.stream()
            .filter(it -> it instanceof FilterRule.Include && it.target().covers(Part.VARIABLES))
            .map(FilterRule::pattern)
            .toList();
    return defaultBehavior == DefaultBehavior.PASS || NodeContextType.mayTake(type, includes);
  }

  /// What passes its includes and excludes, untransformed (P12, mode `chain`).
  public View narrow(PromptContext context, ConditionScope scope) {
    var activeRules = activeRules(context, scope);
    return new View(
        layout(activeRules).partFilters.apply(context, Trace.OFF), activeRules.failures());
  }

  ActiveRules activeRules(PromptContext context, ConditionScope scope) {
    return ActiveRules.of(conditions, pointers, context, scope);
  }

  PromptContext apply(PromptContext context, ActiveRules activeRules, Trace trace) {
    var layout = layout(activeRules);
    return layout.transformPipeline.apply(layout.partFilters.apply(context, trace), trace);
  }

  PartFilters partFilters(ActiveRules activeRules) {
    return layout(activeRules).partFilters;
  }

  TransformPipeline transformPipeline(ActiveRules activeRules) {
    return layout(activeRules).transformPipeline;
  }

  /// One filter that applies both: the rules of the one with the higher priority first, the higher
  /// priority, and `block` if either blocks (P7). Of equal priorities this one is first.
  public ContextFilter merge(ContextFilter other) {
    var first = other.priority > priority ? other : this;
    var second = other.priority > priority ? this : other;
    var joined = new ArrayList<>(first.rules);
    joined.addAll(second.rules);
    var from = new ArrayList<>(first.pointers);
    from.addAll(second.pointers);
    boolean passes =
        defaultBehavior == DefaultBehavior.PASS && other.defaultBehavior == DefaultBehavior.PASS;
    return new ContextFilter(
        joined, passes ? DefaultBehavior.PASS : DefaultBehavior.BLOCK, first.priority, from);
  }

  /// Filters in the order in which they apply: higher priority first, ties as given (P7).
  public static List<ContextFilter> inOrder(List<ContextFilter> filters) {
    return filters.stream()
        .sorted(Comparator.comparingDouble((ContextFilter it) -> -it.priority))
        .toList();
  }

  private BitSet all() {
    var all = new BitSet();
    all.set(0, rules.size());
    return all;
  }

  private Layout layout(ActiveRules activeRules) {
    return activeRules.active().cardinality() == rules.size()
        ? whole
        : layout(activeRules.active());
  }

  private Layout layout(BitSet active) {
    var partFilters = new EnumMap<Part, PartFilter>(Part.class);
    for (var part : Part.values()) {
      if (part == Part.VARIABLES || targets(part)) {
        partFilters.put(part, partFilter(part, active));
      }
    }
    return new Layout(new PartFilters(partFilters), transformPipeline(active));
  }

  private boolean targets(Part part) {
    return rules.stream()
        .anyMatch(it -> !(it instanceof FilterRule.Transform) && it.target().covers(part));
  }

  private PartFilter partFilter(Part part, BitSet active) {
    var includes = new ArrayList<GlobRule>();
    var excludes = new ArrayList<GlobRule>();
    active.stream()
        .forEach(at -> {
          var rule = rules.get(at);
          if (rule.target().covers(part)) {
            switch (rule) {
              case FilterRule.Include it -> includes.add(new GlobRule(it.pattern(), reason(at)));
              case FilterRule.Exclude it -> excludes.add(new GlobRule(it.pattern(), reason(at)));
              case FilterRule.Transform _ -> {}
            }
          }
        });
    var byDefault =
        new Reason(
            "/default_behavior", "no rule matches and the default is to " + defaultBehavior.key());
    return new PartFilter(includes, excludes, defaultBehavior, byDefault);
  }

  private TransformPipeline transformPipeline(BitSet active) {
    var ops = new ArrayList<TransformPipeline.Op>();
    active.stream()
        .forEach(at -> {
          if (rules.get(at) instanceof FilterRule.Transform it) {
            ops.add(TransformPipeline.Op.of(it, reason(at)));
          }
        });
    return new TransformPipeline(ops);
  }

  private Reason reason(int at) {
    return new Reason(pointers.get(at), describe(rules.get(at)));
  }

  private static String describe(FilterRule rule) {
    return switch (rule) {
      case FilterRule.Include it -> "include " + it.pattern();
      case FilterRule.Exclude it -> "exclude " + it.pattern();
      case FilterRule.Transform it ->
          "transform %s: %s".formatted(it.pattern(), it.call().source());
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ContextFilter filter
        && rules.equals(filter.rules)
        && defaultBehavior == filter.defaultBehavior
        && Double.compare(priority, filter.priority) == 0;
  }

  @Override
  public int hashCode() {
    return Map.entry(rules, defaultBehavior).hashCode();
  }

  @Override
  public String toString() {
    return String.valueOf(FilterKey.of(this));
  }
}
