package dev.superstep.context.read;

import dev.superstep.context.filter.ContextFilter;
import dev.superstep.context.filter.ContextLibrary;
import dev.superstep.context.filter.NodeContext.Own;
import dev.superstep.context.filter.NodeContextType;
import dev.superstep.context.filter.ParallelFilters;
import dev.superstep.context.filter.ParallelFilters.One;
import dev.superstep.context.trace.TraceStep.Stage;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Reads the `context_filters` of a node (C30): rule filters, which become one (P7), and filters in
/// Java, which run in parallel (P15).
final class FiltersReader {
  private static final int FILTERS_MAX = 20;
  private static final Set<String> JAVA_KEYS =
      new TreeSet<>(Set.of("type", "name", "config", "priority"));
  private final ContextLibrary library;
  private final RuleNotes at;

  FiltersReader(ContextLibrary library, RuleNotes at) {
    this.library = library;
    this.at = at;
  }

  Own read(ListValue filters, NodeContextType type) {
    var ruled = new ArrayList<ContextFilter>();
    var beside = new ArrayList<One>();
    if (filters.size() > FILTERS_MAX) {
      at.error("too_many", "at most %d filters are allowed".formatted(FILTERS_MAX));
    }
    for (int i = 0; i < Math.min(filters.size(), FILTERS_MAX); i++) {
      var pointer = "/" + i;
      var here = at.at(pointer);
      var filter = here.object(filters.get(i));
      if (filter.isPresent()) {
        if (Value.of("java").equals(filter.get().get("type"))) {
          java(filter.get(), pointer, here).ifPresent(beside::add);
        } else {
          ruled.add(rules(filter.get(), type, here).under(pointer));
        }
      }
    }
    var merged = ContextFilter.merged(ruled);
    FilterReader.requireRules(merged.map(ContextFilter::rules).orElse(List.of()), type, at);
    merged.ifPresent(it -> FilterReader.warnOfType(it, type, at));
    return new Own(merged, Stage.FILTER, new ParallelFilters(beside), "/context_filters");
  }

  /// What its type needs may be in any of them.
  private ContextFilter rules(ObjectValue filter, NodeContextType type, RuleNotes here) {
    var kind = here.at("/type").text(filter.get("type"));
    if (kind.isPresent() && !kind.get().equals("rules")) {
      here.at("/type")
          .error("invalid_value", "'%s' is unknown; known are rules, java".formatted(kind.get()));
    }
    return new FilterReader(library, here).readOneOfMany(filter.minus("type"), type);
  }

  private Optional<One> java(ObjectValue filter, String pointer, RuleNotes here) {
    here.requireKeys(filter, JAVA_KEYS, "a filter of type java");
    var name = here.at("/name").text(filter.get("name"));
    if (name.isEmpty()) {
      here.at("/name").error("missing_field", "is required: the name of a Spring bean");
      return Optional.empty();
    }
    var found = Optional.ofNullable(library.filters().get(name.get()));
    if (found.isEmpty()) {
      here.at("/name")
          .error(
              "unknown_filter",
              "this server has no context filter '%s'; it has %s"
                  .formatted(name.get(), new TreeSet<>(library.filters().keySet())));
    }
    var config = here.at("/config").object(filter.get("config")).orElse(ObjectValue.empty());
    double priority = new FilterReader(library, here).priority(filter);
    return found.map(it -> new One(name.get(), it, config, priority, pointer));
  }
}
