package dev.superstep.context.read;

import dev.superstep.context.Glob;
import dev.superstep.context.Part;
import dev.superstep.context.TransformCall;
import dev.superstep.context.TransformTarget;
import dev.superstep.context.filter.ContextLibrary;
import dev.superstep.context.filter.EdgeContextFilter;
import dev.superstep.context.filter.EdgeContextFilter.Conditional;
import dev.superstep.context.filter.EdgeContextFilter.PassAll;
import dev.superstep.context.filter.EdgeContextFilter.PassNone;
import dev.superstep.context.filter.EdgeContextFilter.Patterns;
import dev.superstep.context.filter.EdgeContextFilter.Selective;
import dev.superstep.context.filter.EdgeContextFilter.Transform;
import dev.superstep.context.filter.EdgeContextFilter.TransformRule;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
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
  private final RuleNotes at;
  private final RuleReader rules;

  EdgeFilterReader(ContextLibrary library, RuleNotes at) {
    this.at = at;
    rules = new RuleReader(library);
  }

  /// What cannot be read passes nothing.
  EdgeContextFilter read(ObjectValue filter) {
    at.requireKeys(filter, KEYS, "an edge's context filter");
    var type = RuleReader.required(filter, "type", at).orElse("");
    return switch (type) {
      case "pass_all" -> bare(filter, type, new PassAll());
      case "pass_none" -> bare(filter, type, new PassNone());
      case "selective" -> selective(filter);
      case "conditional" -> conditional(filter);
      case "transform" -> transform(filter);
      default -> {
        if (!type.isEmpty()) {
          at.at("/type")
              .error(
                  "invalid_value",
                  "'%s' is unknown; known are %s"
                      .formatted(type, String.join(", ", EdgeContextFilter.TYPES)));
        }
        yield new PassNone();
      }
    };
  }

  private EdgeContextFilter bare(ObjectValue filter, String type, EdgeContextFilter made) {
    at.refuse(
        filter,
        List.of(INCLUDES, EXCLUDES, RULES, CONDITION, TARGET),
        type + " says all by itself");
    return made;
  }

  private EdgeContextFilter selective(ObjectValue filter) {
    at.refuse(filter, List.of(RULES), "only type transform has it");
    at.refuse(filter, List.of(CONDITION), "only type conditional has it");
    if (RuleNotes.isAbsent(filter.get(INCLUDES)) && RuleNotes.isAbsent(filter.get(EXCLUDES))) {
      at.error("missing_field", "selective needs include_patterns or exclude_patterns");
      return new PassNone();
    }
    return new Selective(patterns(filter));
  }

  private EdgeContextFilter conditional(ObjectValue filter) {
    at.refuse(filter, List.of(RULES), "only type transform has it");
    RuleReader.required(filter, CONDITION, at);
    var condition = rules.condition(filter, at);
    var patterns = patterns(filter);
    return condition
        .<EdgeContextFilter>map(it -> new Conditional(it, patterns))
        .orElseGet(PassNone::new);
  }

  private Patterns patterns(ObjectValue filter) {
    return new Patterns(
        globs(filter, INCLUDES),
        globs(filter, EXCLUDES),
        RuleReader.target(filter, at).orElse(TransformTarget.KEYS));
  }

  private List<Glob> globs(ObjectValue filter, String key) {
    var ruleNotes = at.at("/" + key);
    return ruleNotes
        .list(filter.get(key))
        .map(it -> RuleReader.globs(it, ruleNotes))
        .orElse(List.of());
  }

  private EdgeContextFilter transform(ObjectValue filter) {
    at.refuse(filter, List.of(INCLUDES, EXCLUDES), "transform passes everything");
    at.refuse(filter, List.of(CONDITION), "only type conditional has it");
    if (RuleNotes.isAbsent(filter.get(RULES))) {
      at.at("/" + RULES).error("missing_field", "transform needs transform_rules");
    }
    var transformTarget = RuleReader.target(filter, at).orElse(TransformTarget.KEYS);
    var ruleNotes = at.at("/" + RULES);
    var list = ruleNotes.list(filter.get(RULES)).orElse(ListValue.empty());
    var read = new ArrayList<TransformRule>();
    for (int i = 0; i < list.size(); i++) {
      rule(list.get(i), transformTarget, ruleNotes.at("/" + i)).ifPresent(read::add);
    }
    return new Transform(read, transformTarget);
  }

  private Optional<TransformRule> rule(
      Value value, TransformTarget transformTarget, RuleNotes ruleNotes) {
    var rule = ruleNotes.object(value);
    if (rule.isEmpty()) {
      return Optional.empty();
    }
    ruleNotes.requireKeys(rule.get(), RULE_KEYS, "a transform rule");
    var source =
        RuleReader.required(rule.get(), "source_pattern", ruleNotes)
            .flatMap(it -> RuleReader.glob(Value.of(it), ruleNotes.at("/source_pattern")));
    var to = RuleReader.required(rule.get(), "target_pattern", ruleNotes);
    var call =
        ruleNotes
            .at("/transform")
            .text(rule.get().get("transform"))
            .flatMap(it -> rules.call(it, ruleNotes));
    call.ifPresent(it -> refuseRename(it, ruleNotes));
    if (source.isEmpty() || to.isEmpty()) {
      return Optional.empty();
    }
    checkTarget(source.get(), to.get(), transformTarget, ruleNotes.at("/target_pattern"));
    return Optional.of(new TransformRule(source.get(), to.get(), call));
  }

  private static void refuseRename(TransformCall call, RuleNotes ruleNotes) {
    if (call instanceof TransformCall.Rename) {
      ruleNotes
          .at("/transform")
          .error("not_applicable", "target_pattern says how keys are renamed");
    }
  }

  private static void checkTarget(
      Glob source, String to, TransformTarget transformTarget, RuleNotes ruleNotes) {
    if (to.equals(source.toString())) {
      return;
    }
    RuleReader.checkRename(source, to, ruleNotes);
    if (transformTarget.covers(Part.HISTORY)) {
      ruleNotes.error(
          "not_applicable",
          "history entries have no keys to rename; write the source pattern here, or another"
              + " target");
    }
  }
}
