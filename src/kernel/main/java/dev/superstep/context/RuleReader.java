package dev.superstep.context;

import dev.superstep.graph.Location;
import dev.superstep.graph.UncheckedValue;
import dev.superstep.graph.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Reads one rule of a filter, and what rules and edge filters have in common.
final class RuleReader {
  private static final Set<String> KEYS =
      new TreeSet<>(Set.of("type", "pattern", "target", "transform", "condition"));
  private final ContextLibrary library;

  RuleReader(ContextLibrary library) {
    this.library = library;
  }

  /// Empty if it is unusable, which has then been reported.
  Optional<FilterRule> read(UncheckedValue rule) {
    if (rule.object().isEmpty()) {
      return Optional.empty();
    }
    RuleValues.requireKeys(rule, KEYS, "a rule");
    var pattern =
        RuleValues.required(rule, "pattern").flatMap(it -> glob(it, rule.key("pattern").at()));
    var transformTarget = target(rule).orElse(TransformTarget.VARIABLES);
    var condition = condition(rule.key("condition"));
    var type = RuleValues.required(rule, "type").orElse("");
    return switch (type) {
      case "include", "exclude" -> {
        RuleValues.refuse(rule, List.of("transform"), "only rules of type transform have it");
        yield pattern.map(it ->
            type.equals("include")
                ? new FilterRule.Include(it, transformTarget, condition)
                : new FilterRule.Exclude(it, transformTarget, condition));
      }
      case "transform" -> {
        var at = rule.key("transform").at();
        var call = RuleValues.required(rule, "transform").flatMap(it -> call(it, at));
        call.ifPresent(it -> check(it, pattern, transformTarget, at));
        yield pattern.flatMap(
            glob -> call.map(it -> new FilterRule.Transform(glob, transformTarget, condition, it)));
      }
      default -> unknown(type, rule.key("type").at());
    };
  }

  static List<Glob> globs(UncheckedValue patterns) {
    var globs = new ArrayList<Glob>();
    for (var pattern : RuleValues.items(patterns).orElse(List.of())) {
      pattern.text().flatMap(it -> glob(it, pattern.at())).ifPresent(globs::add);
    }
    return globs;
  }

  static Optional<Glob> glob(String pattern, Location at) {
    var refusal = Glob.refusal(pattern);
    refusal.ifPresent(it -> at.error("invalid_pattern", it));
    return refusal.isPresent() ? Optional.empty() : Optional.of(Glob.of(pattern));
  }

  private static Optional<FilterRule> unknown(String type, Location at) {
    if (!type.isEmpty()) {
      at.error(
          "invalid_value",
          "'%s' is unknown; known are include, exclude, transform".formatted(type));
    }
    return Optional.empty();
  }

  static Optional<TransformTarget> target(UncheckedValue object) {
    var name = object.key("target").text();
    var target = name.flatMap(TransformTarget::find);
    if (name.isPresent() && target.isEmpty()) {
      object
          .key("target")
          .at()
          .error(
              "invalid_value",
              "'%s' is unknown; known are %s"
                  .formatted(name.get(), String.join(", ", TransformTarget.NAMES)));
    }
    return target;
  }

  Optional<ContextCondition> condition(UncheckedValue condition) {
    return condition
        .text()
        .flatMap(it -> {
          try {
            return Optional.of(library.conditions().compile(it));
          } catch (ContextCondition.Invalid e) {
            condition
                .at()
                .error(
                    Violation.of("", "invalid_expression", String.valueOf(e.getMessage()))
                        .at(e.line(), e.column()));
            return Optional.empty();
          }
        });
  }

  /// @param at of the source
  Optional<TransformCall> call(String source, Location at) {
    return switch (library.transforms().parse(source)) {
      case Transforms.Parsed.ParsedCall(var call) -> Optional.of(call);
      case Transforms.Parsed.RefusedCall(var code, var message) -> {
        at.error(code, message);
        yield Optional.empty();
      }
    };
  }

  private static void check(
      TransformCall call, Optional<Glob> pattern, TransformTarget transformTarget, Location at) {
    switch (call) {
      case TransformCall.OfValue _ -> {}
      case TransformCall.Default _ -> refuseHistory(transformTarget, "default", at);
      case TransformCall.Rename(_, var to) -> {
        refuseHistory(transformTarget, "rename", at);
        pattern.ifPresent(it -> checkRename(it, to, at));
      }
    }
  }

  private static void refuseHistory(TransformTarget transformTarget, String name, Location at) {
    if (transformTarget.covers(Part.HISTORY)) {
      at.error(
          "not_applicable",
          "%s acts on keys, and history entries have none; choose target variables or metadata"
              .formatted(name));
    }
  }

  /// A name for keys: as many stars as it can fill, no `?`.
  static void checkRename(Glob pattern, String to, Location at) {
    if (to.isBlank() || to.indexOf('?') >= 0 || to.length() > Glob.LENGTH_MAX) {
      at.error(
          "invalid_pattern",
          "'%s' cannot name keys: it must not be blank, have a ? or be longer than %d characters"
              .formatted(to, Glob.LENGTH_MAX));
    } else if (Glob.stars(to) > pattern.stars()) {
      at.error("invalid_pattern", "'%s' has more stars than '%s' can fill".formatted(to, pattern));
    }
  }
}
