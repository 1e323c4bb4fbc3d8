package dev.superstep.context;

import dev.superstep.context.ContextFilter.DefaultBehavior;
import dev.superstep.context.Trace.Reason;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.List;

/// Decides about the items of one part: includes are a union, an exclude always wins (P5).
final class Sieve {
  private final Rule[] includes;
  private final Rule[] excludes;
  private final DefaultBehavior otherwise;
  private final Reason byDefault;

  /// @param byDefault the reason where no rule matches
  Sieve(List<Rule> includes, List<Rule> excludes, DefaultBehavior otherwise, Reason byDefault) {
    this.includes = includes.toArray(new Rule[0]);
    this.excludes = excludes.toArray(new Rule[0]);
    this.otherwise = otherwise;
    this.byDefault = byDefault;
  }

  record Rule(Glob glob, Reason reason) {}

  /// Whether it lets everything through.
  private boolean isOpen() {
    return excludes.length == 0 && otherwise == DefaultBehavior.PASS;
  }

  boolean keeps(String key) {
    return first(excludes, key) < 0
        && (otherwise == DefaultBehavior.PASS || first(includes, key) >= 0);
  }

  private static int first(Rule[] rules, String key) {
    for (int i = 0; i < rules.length; i++) {
      if (rules[i].glob.matches(key)) {
        return i;
      }
    }
    return -1;
  }

  private Reason reason(String key) {
    int exclude = first(excludes, key);
    if (exclude >= 0) {
      return excludes[exclude].reason;
    }
    int include = first(includes, key);
    return include < 0 ? byDefault : includes[include].reason;
  }

  /// Tells why an item stays or goes. Writes nothing where nobody asked.
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
