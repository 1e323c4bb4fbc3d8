package dev.superstep.context;

import dev.superstep.context.NodeContext.Own;
import dev.superstep.context.ParallelFilters.One;
import dev.superstep.context.TraceStep.Stage;
import dev.superstep.graph.UncheckedValue;
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
  private final FilterReader ruled;

  FiltersReader(ContextLibrary library) {
    this.library = library;
    ruled = new FilterReader(library);
  }

  /// @param list what `filters` were written as
  Own read(UncheckedValue list, List<UncheckedValue> filters, NodeContextType type) {
    var filtering = new ArrayList<ContextFilter>();
    var beside = new ArrayList<One>();
    if (filters.size() > FILTERS_MAX) {
      list.at().error("too_many", "at most %d filters are allowed".formatted(FILTERS_MAX));
    }
    for (int i = 0; i < Math.min(filters.size(), FILTERS_MAX); i++) {
      var pointer = "/" + i;
      var filter = filters.get(i);
      if (filter.object().isPresent()) {
        if (Value.of("java").equals(filter.key("type").value())) {
          java(filter, pointer).ifPresent(beside::add);
        } else {
          filtering.add(rules(filter, type).under(pointer));
        }
      }
    }
    var merged = ContextFilter.merged(filtering);
    FilterReader.requireRules(merged.map(ContextFilter::rules).orElse(List.of()), type, list.at());
    merged.ifPresent(it -> FilterReader.warnOfType(it, type, list.at()));
    return new Own(merged, Stage.FILTER, new ParallelFilters(beside), "/context_filters");
  }

  /// What its type needs may be in any of them.
  private ContextFilter rules(UncheckedValue filter, NodeContextType type) {
    var kind = filter.key("type").text();
    if (kind.isPresent() && !kind.get().equals("rules")) {
      filter
          .key("type")
          .at()
          .error("invalid_value", "'%s' is unknown; known are rules, java".formatted(kind.get()));
    }
    return ruled.readOneOfMany(
        RuleValues.of(filter.objectOrEmpty().minus("type"), filter.at()), type);
  }

  private Optional<One> java(UncheckedValue filter, String pointer) {
    RuleValues.requireKeys(filter, JAVA_KEYS, "a filter of type java");
    var name = filter.key("name").text();
    if (name.isEmpty()) {
      filter.key("name").at().error("missing_field", "is required: the name of a Spring bean");
      return Optional.empty();
    }
    var found = Optional.ofNullable(library.filters().get(name.get()));
    if (found.isEmpty()) {
      filter
          .key("name")
          .at()
          .error(
              "unknown_filter",
              "this server has no context filter '%s'; it has %s"
                  .formatted(name.get(), new TreeSet<>(library.filters().keySet())));
    }
    var config = filter.key("config").objectOrEmpty();
    double priority = FilterReader.priority(filter);
    return found.map(it -> new One(name.get(), it, config, priority, pointer));
  }
}
