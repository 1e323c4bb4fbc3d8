package dev.superstep.context.read;

import dev.superstep.context.ContextCondition;
import dev.superstep.context.FilterRule;
import dev.superstep.context.Glob;
import dev.superstep.context.Part;
import dev.superstep.context.TransformCall;
import dev.superstep.context.TransformTarget;
import dev.superstep.context.filter.ContextLibrary;
import dev.superstep.context.transform.Transforms;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
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
  Optional<FilterRule> read(Value value, RuleNotes at) {
    var rule = at.object(value);
    if (rule.isEmpty()) {
      return Optional.empty();
    }
    at.requireKeys(rule.get(), KEYS, "a rule");
    var pattern =
        required(rule.get(), "pattern", at).flatMap(it -> glob(Value.of(it), at.at("/pattern")));
    var transformTarget = target(rule.get(), at).orElse(TransformTarget.VARIABLES);
    var condition = condition(rule.get(), at);
    var type = required(rule.get(), "type", at).orElse("");
    return switch (type) {
      case "include", "exclude" -> {
        at.refuse(rule.get(), List.of("transform"), "only rules of type transform have it");
        yield pattern.map(it ->
            type.equals("include")
                ? new FilterRule.Include(it, transformTarget, condition)
                : new FilterRule.Exclude(it, transformTarget, condition));
      }
      case "transform" -> {
        var call = required(rule.get(), "transform", at).flatMap(it -> call(it, at));
        call.ifPresent(it -> check(it, pattern, transformTarget, at.at("/transform")));
        yield pattern.flatMap(
            glob -> call.map(it -> new FilterRule.Transform(glob, transformTarget, condition, it)));
      }
      default -> unknown(type, at);
    };
  }

  static List<Glob> globs(ListValue patterns, RuleNotes at) {
    var globs = new ArrayList<Glob>();
    for (int i = 0; i < patterns.size(); i++) {
      glob(patterns.get(i), at.at("/" + i)).ifPresent(globs::add);
    }
    return globs;
  }

  static Optional<Glob> glob(Value pattern, RuleNotes at) {
    var text = at.text(pattern);
    var refusal = text.flatMap(Glob::refusal);
    refusal.ifPresent(it -> at.error("invalid_pattern", it));
    return refusal.isPresent() ? Optional.empty() : text.map(Glob::of);
  }

  private static Optional<FilterRule> unknown(String type, RuleNotes at) {
    if (!type.isEmpty()) {
      at.at("/type")
          .error(
              "invalid_value",
              "'%s' is unknown; known are include, exclude, transform".formatted(type));
    }
    return Optional.empty();
  }

  static Optional<String> required(ObjectValue object, String key, RuleNotes at) {
    if (RuleNotes.isAbsent(object.get(key))) {
      at.at("/" + key).error("missing_field", "'%s' is missing".formatted(key));
    }
    return at.at("/" + key).text(object.get(key));
  }

  static Optional<TransformTarget> target(ObjectValue object, RuleNotes at) {
    var name = at.at("/target").text(object.get("target"));
    var target = name.flatMap(TransformTarget::find);
    if (name.isPresent() && target.isEmpty()) {
      at.at("/target")
          .error(
              "invalid_value",
              "'%s' is unknown; known are %s"
                  .formatted(name.get(), String.join(", ", TransformTarget.NAMES)));
    }
    return target;
  }

  Optional<ContextCondition> condition(ObjectValue object, RuleNotes at) {
    var ruleNotes = at.at("/condition");
    return ruleNotes
        .text(object.get("condition"))
        .flatMap(it -> {
          try {
            return Optional.of(library.conditions().compile(it));
          } catch (ContextCondition.Invalid e) {
            ruleNotes.error("invalid_expression", e);
            return Optional.empty();
          }
        });
  }

  Optional<TransformCall> call(String source, RuleNotes at) {
    return switch (library.transforms().parse(source)) {
      case Transforms.Parsed.Call(var call) -> Optional.of(call);
      case Transforms.Parsed.Refused(var code, var message) -> {
        at.at("/transform").error(code, message);
        yield Optional.empty();
      }
    };
  }

  private static void check(
      TransformCall call, Optional<Glob> pattern, TransformTarget transformTarget, RuleNotes at) {
    switch (call) {
      case TransformCall.OfValue _ -> {}
      case TransformCall.Default _ -> refuseHistory(transformTarget, "default", at);
      case TransformCall.Rename(_, var to) -> {
        refuseHistory(transformTarget, "rename", at);
        pattern.ifPresent(it -> checkRename(it, to, at));
      }
    }
  }

  private static void refuseHistory(TransformTarget transformTarget, String name, RuleNotes at) {
    if (transformTarget.covers(Part.HISTORY)) {
      at.error(
          "not_applicable",
          "%s acts on keys, and history entries have none; choose target variables or metadata"
              .formatted(name));
    }
  }

  /// A name for keys: as many stars as it can fill, no `?`.
  static void checkRename(Glob pattern, String to, RuleNotes at) {
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
