package dev.superstep.context;

import dev.superstep.context.EdgeContextFilter.Conditional;
import dev.superstep.context.EdgeContextFilter.EdgeTransform;
import dev.superstep.context.EdgeContextFilter.PassAll;
import dev.superstep.context.EdgeContextFilter.PassNone;
import dev.superstep.context.EdgeContextFilter.Patterns;
import dev.superstep.context.EdgeContextFilter.Selective;
import dev.superstep.context.EdgeContextFilter.TransformRule;
import dev.superstep.graph.Location;
import dev.superstep.graph.UncheckedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Reads the `context_filter` of an edge (P10, P18).
final class EdgeFilterReader {
  private static final String INCLUDES = "include_patterns";
  private static final String EXCLUDES = "exclude_patterns";
  private static final String RULES = "transform_rules";
  private static final String CONDITION = "condition";
  private static final String TARGET = "target";
  private static final Set<String> KEYS =
      new TreeSet<>(Set.of("type", INCLUDES, EXCLUDES, RULES, CONDITION, TARGET));
  private static final Set<String> RULE_KEYS =
      new TreeSet<>(Set.of("source_pattern", "target_pattern", "transform"));
  private final RuleReader rules;

  EdgeFilterReader(ContextLibrary library) {
    rules = new RuleReader(library);
  }

  /// What cannot be read passes nothing.
  EdgeContextFilter read(UncheckedValue filter) {
    RuleValues.requireKeys(filter, KEYS, "an edge's context filter");
    var type = RuleValues.required(filter, "type").orElse("");
    return switch (type) {
      case "pass_all" -> bare(filter, type, new PassAll());
      case "pass_none" -> bare(filter, type, new PassNone());
      case "selective" -> selective(filter);
      case "conditional" -> conditional(filter);
      case "transform" -> transform(filter);
      default -> {
        if (!type.isEmpty()) {
          filter
              .key("type")
              .at()
              .error(
                  "invalid_value",
                  "'%s' is unknown; known are %s"
                      .formatted(type, String.join(", ", EdgeContextFilter.TYPES)));
        }
        yield new PassNone();
      }
    };
  }

  private static EdgeContextFilter bare(
      UncheckedValue filter, String type, EdgeContextFilter made) {
    RuleValues.refuse(
        filter,
        List.of(INCLUDES, EXCLUDES, RULES, CONDITION, TARGET),
        type + " says all by itself");
    return made;
  }

  private static EdgeContextFilter selective(UncheckedValue filter) {
    RuleValues.refuse(filter, List.of(RULES), "only type transform has it");
    RuleValues.refuse(filter, List.of(CONDITION), "only type conditional has it");
    if (RuleValues.isAbsent(filter.key(INCLUDES)) && RuleValues.isAbsent(filter.key(EXCLUDES))) {
      filter.at().error("missing_field", "selective needs include_patterns or exclude_patterns");
      return new PassNone();
    }
    return new Selective(patterns(filter));
  }

  private EdgeContextFilter conditional(UncheckedValue filter) {
    RuleValues.refuse(filter, List.of(RULES), "only type transform has it");
    RuleValues.required(filter, CONDITION);
    var condition = rules.condition(filter.key(CONDITION));
    var patterns = patterns(filter);
    return condition
        .<EdgeContextFilter>map(it -> new Conditional(it, patterns))
        .orElseGet(PassNone::new);
  }

  private static Patterns patterns(UncheckedValue filter) {
    return new Patterns(
        RuleReader.globs(filter.key(INCLUDES)),
        RuleReader.globs(filter.key(EXCLUDES)),
        RuleReader.target(filter).orElse(TransformTarget.KEYS));
  }

  private EdgeContextFilter transform(UncheckedValue filter) {
    RuleValues.refuse(filter, List.of(INCLUDES, EXCLUDES), "transform passes everything");
    RuleValues.refuse(filter, List.of(CONDITION), "only type conditional has it");
    var transforms = filter.key(RULES);
    if (RuleValues.isAbsent(transforms)) {
      transforms.at().error("missing_field", "transform needs transform_rules");
    }
    var transformTarget = RuleReader.target(filter).orElse(TransformTarget.KEYS);
    var read = new ArrayList<TransformRule>();
    for (var rule : RuleValues.items(transforms).orElse(List.of())) {
      rule(rule, transformTarget).ifPresent(read::add);
    }
    return new EdgeTransform(read, transformTarget);
  }

  private Optional<TransformRule> rule(UncheckedValue rule, TransformTarget transformTarget) {
    if (rule.object().isEmpty()) {
      return Optional.empty();
    }
    RuleValues.requireKeys(rule, RULE_KEYS, "a transform rule");
    var source =
        RuleValues.required(rule, "source_pattern")
            .flatMap(it -> RuleReader.glob(it, rule.key("source_pattern").at()));
    var to = RuleValues.required(rule, "target_pattern");
    var transform = rule.key("transform");
    var call = transform.text().flatMap(it -> rules.call(it, transform.at()));
    call.ifPresent(it -> refuseRename(it, transform.at()));
    if (source.isEmpty() || to.isEmpty()) {
      return Optional.empty();
    }
    checkTarget(source.get(), to.get(), transformTarget, rule.key("target_pattern").at());
    return Optional.of(new TransformRule(source.get(), to.get(), call));
  }

  private static void refuseRename(TransformCall call, Location at) {
    if (call instanceof TransformCall.Rename) {
      at.error("not_applicable", "target_pattern says how keys are renamed");
    }
  }

  private static void checkTarget(
      Glob source, String to, TransformTarget transformTarget, Location at) {
    if (to.equals(source.toString())) {
      return;
    }
    RuleReader.checkRename(source, to, at);
    if (transformTarget.covers(Part.HISTORY)) {
      at.error(
          "not_applicable",
          "history entries have no keys to rename; write the source pattern here, or another"
              + " target");
    }
  }
}
