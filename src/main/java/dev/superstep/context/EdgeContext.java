package dev.superstep.context;

import dev.superstep.context.ContextFilter.DefaultBehavior;
import dev.superstep.context.Sieve.Rule;
import dev.superstep.context.Step.Stage;
import dev.superstep.context.Trace.Reason;
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
  private final Screen screen;
  private final Reshape reshape;
  private final Kept kept;

  public EdgeContext(EdgeContextFilter filter, ContextCache cache) {
    this.filter = filter;
    screen = new Screen(sieves(filter));
    reshape = new Reshape(ops(filter));
    kept = new Kept(cache, Outline.of(filter));
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
  public View view(PromptContext context, Surroundings around) {
    if (isTransparent()) {
      return View.of(context);
    }
    var held = held(context, around);
    return new View(kept.get(context, held, () -> pass(context, held, Trace.OFF)), held.failures());
  }

  /// The same, with a reason for every item.
  ///
  /// @param edge its id, for the reasons
  public View explain(PromptContext context, Surroundings around, Trace trace, String edge) {
    var held = held(context, around);
    trace.at(Stage.EDGE).from(edge);
    trace.failed(held.failures());
    return new View(pass(context, held, trace), held.failures());
  }

  private Held held(PromptContext context, Surroundings around) {
    return filter instanceof EdgeContextFilter.Conditional(var condition, _)
        ? Held.of(condition, context, around)
        : new Held(new BitSet(), List.of());
  }

  private PromptContext pass(PromptContext context, Held held, Trace trace) {
    return switch (filter) {
      case EdgeContextFilter.PassAll _, EdgeContextFilter.Selective _ ->
          screen.apply(context, trace);
      case EdgeContextFilter.PassNone _ -> Screen.templateOnly(context, trace, NOTHING);
      case EdgeContextFilter.Conditional _ ->
          held.active().get(0)
              ? screen.apply(context, trace)
              : Screen.templateOnly(context, trace, FALSE);
      case EdgeContextFilter.Transform _ -> reshape.apply(context, trace);
    };
  }

  /// Whether variables that a node of this type takes can pass (S4-9 `supportsContextType`). False
  /// only where patterns say so for certain: the start of no include fits that of a type's.
  public boolean supportsContextType(NodeContextType type) {
    var patterns =
        switch (filter) {
          case EdgeContextFilter.Selective(var it) -> it;
          case EdgeContextFilter.Conditional(_, var it) -> it;
          case EdgeContextFilter.PassAll _,
              EdgeContextFilter.PassNone _,
              EdgeContextFilter.Transform _ ->
              null;
        };
    return patterns == null
        || !patterns.target().covers(Part.VARIABLES)
        || NodeContextType.mayTake(type, patterns.includes());
  }

  /// Whether a variable of this key can pass: with a condition, when it holds. A transform passes
  /// everything under some key.
  public boolean canPass(String key) {
    return !(filter instanceof EdgeContextFilter.PassNone) && screen.keeps(Part.VARIABLES, key);
  }

  private static EnumMap<Part, Sieve> sieves(EdgeContextFilter filter) {
    return switch (filter) {
      case EdgeContextFilter.Selective(var patterns) -> sieves(patterns);
      case EdgeContextFilter.Conditional(_, var patterns) -> sieves(patterns);
      case EdgeContextFilter.PassAll _,
          EdgeContextFilter.PassNone _,
          EdgeContextFilter.Transform _ ->
          new EnumMap<>(Part.class);
    };
  }

  private static EnumMap<Part, Sieve> sieves(EdgeContextFilter.Patterns patterns) {
    var open = patterns.includes().isEmpty();
    var sieve =
        new Sieve(
            rules(patterns.includes(), "/include_patterns/", "include "),
            rules(patterns.excludes(), "/exclude_patterns/", "exclude "),
            open ? DefaultBehavior.PASS : DefaultBehavior.BLOCK,
            open
                ? new Reason("/exclude_patterns", "no exclude pattern matches")
                : new Reason("/include_patterns", "no include pattern matches"));
    var sieves = new EnumMap<Part, Sieve>(Part.class);
    for (var part : Part.values()) {
      if (patterns.target().covers(part)) {
        sieves.put(part, sieve);
      }
    }
    return sieves;
  }

  private static List<Rule> rules(List<Glob> globs, String pointer, String verb) {
    var rules = new ArrayList<Rule>();
    for (var glob : globs) {
      rules.add(new Rule(glob, new Reason(pointer + rules.size(), verb + glob)));
    }
    return rules;
  }

  private static List<Reshape.Op> ops(EdgeContextFilter filter) {
    var ops = new ArrayList<Reshape.Op>();
    if (filter instanceof EdgeContextFilter.Transform(var rules, var target)) {
      for (var rule : rules) {
        var says =
            "%s becomes %s%s"
                .formatted(
                    rule.source(),
                    rule.target(),
                    rule.call().map(it -> ", " + it.source()).orElse(""));
        ops.add(
            new Reshape.Op(
                rule.source(),
                target,
                Optional.of(rule.target()).filter(it -> !it.equals(rule.source().toString())),
                rule.call(),
                new Reason("/transform_rules/" + ops.size(), says)));
      }
    }
    return ops;
  }
}
