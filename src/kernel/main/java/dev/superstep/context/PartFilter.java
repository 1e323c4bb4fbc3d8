package dev.superstep.context;

import dev.superstep.context.Trace.Reason;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// Decides which items of one part pass: includes are a union, an exclude always wins (P5).
final class PartFilter {
  private final List<GlobRule> includes;
  private final List<GlobRule> excludes;
  private final Matcher included;
  private final Matcher excluded;
  private final DefaultBehavior otherwise;
  private final Reason byDefault;

  /// @param byDefault the reason where no rule matches
  PartFilter(
      List<GlobRule> includes,
      List<GlobRule> excludes,
      DefaultBehavior otherwise,
      Reason byDefault) {
    this.includes = List.copyOf(includes);
    this.excludes = List.copyOf(excludes);
    included = new Matcher(globs(includes));
    excluded = new Matcher(globs(excludes));
    this.otherwise = otherwise;
    this.byDefault = byDefault;
  }

  record GlobRule(Glob glob, Reason reason) {}

  private static List<Glob> globs(List<GlobRule> rules) {
    return rules.stream().map(GlobRule::glob).toList();
  }

  /// Whether it lets everything through.
  private boolean isOpen() {
    return excludes.isEmpty() && otherwise == DefaultBehavior.PASS;
  }

  boolean keeps(String key) {
    return !excluded.matches(key) && (otherwise == DefaultBehavior.PASS || included.matches(key));
  }

  private Reason reason(String key) {
    return first(excludes, key)
        .or(() -> first(includes, key))
        .map(GlobRule::reason)
        .orElse(byDefault);
  }

  private static Optional<GlobRule> first(List<GlobRule> rules, String key) {
    return rules.stream().filter(it -> it.glob.matches(key)).findFirst();
  }

  /// Records why an item stays or is dropped. Writes nothing if tracing is off.
  void explain(Part part, String id, String key, Trace trace) {
    if (!trace.isOn()) {
      return;
    }
    if (keeps(key)) {
      trace.kept(part, id, reason(key));
    } else {
      trace.dropped(part, id, reason(key));
    }
  }

  /// The same instance if all stay.
  ObjectValue members(ObjectValue members, Part part, Trace trace) {
    if (trace.isOn()) {
      members.forEach((key, _) -> explain(part, key, key, trace));
    }
    if (isOpen()) {
      return members;
    }
    var kept = ObjectValue.builder();
    var count = new int[1];
    members.forEach((key, value) -> {
      if (keeps(key)) {
        kept.put(key, value);
        count[0]++;
      }
    });
    return count[0] == members.size() ? members : kept.build();
  }

  /// The same instance if all stay.
  Entries entries(Entries entries, Trace trace) {
    if (trace.isOn()) {
      for (Value entry : entries.history()) {
        explain(Part.HISTORY, Entries.id(entry), Entries.node(entry), trace);
      }
    }
    return isOpen() ? entries : entries.keep(it -> keeps(Entries.node(it)));
  }
}
