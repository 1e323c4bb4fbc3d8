package dev.superstep.starter;

import dev.superstep.definition.AuthorText.Format;
import dev.superstep.definition.Codes;
import dev.superstep.definition.GraphVersion;
import dev.superstep.definition.Validation;
import dev.superstep.definition.read.DefinitionText;
import dev.superstep.definition.store.Definitions;
import dev.superstep.graph.Violation;
import dev.superstep.node.spec.GraphDefinition;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// The graphs that the application defines as beans. Those that are new or have changed become
/// versions when it starts, as if they had been posted; none does if one of them has errors.
///
/// @param check reads a definition
/// @param post stores one; empty: it is the newest version already
/// @param whole does all of something, or nothing
record ApplicationGraphs(
    Function<DefinitionText, Validation> check,
    Function<DefinitionText, Optional<GraphVersion>> post,
    Consumer<Runnable> whole) {
  private static final Logger log = LoggerFactory.getLogger(ApplicationGraphs.class);

  static ApplicationGraphs of(Definitions definitions, PlatformTransactionManager transactions) {
    var whole = new TransactionTemplate(transactions);
    return new ApplicationGraphs(
        definitions::validate,
        definitions::postChanged,
        it -> whole.executeWithoutResult(_ -> it.run()));
  }

  /// @param beans by name
  /// @throws IllegalStateException names the beans, nodes and keys that have errors
  void store(Map<String, GraphDefinition> beans) {
    refuseNamesakes(beans);
    var refused = new ArrayList<String>();
    beans.forEach((bean, graph) ->
        checked(bean, graph).errors().stream()
            .filter(it -> !isOfAnother(graph, it, beans.values()))
            .forEach(it -> refused.add(line(bean, graph, it))));
    fail(refused);
    whole.accept(() -> storeAll(beans));
  }

  /// What another bean brings along.
  @SuppressWarnings("ReferenceEquality") // another bean may say the same
  private static boolean isOfAnother(
      GraphDefinition graph, Violation problem, Collection<GraphDefinition> all) {
    Value at = graph.definition();
    for (var key : keys(problem.pointer())) {
      at = at(at, key);
    }
    var called = at;
    return problem.code().equals(Codes.UNKNOWN_GRAPH)
        && all.stream().anyMatch(it -> it != graph && called.equals(Value.of(it.name())));
  }

  /// Those that are called come before those that call them.
  private void storeAll(Map<String, GraphDefinition> beans) {
    var refused = new ArrayList<String>();
    var open = new TreeMap<>(beans);
    while (!open.isEmpty()) {
      if (!open.entrySet().removeIf(it -> isStored(it.getKey(), it.getValue()))) {
        open.forEach((bean, graph) ->
            checked(bean, graph).errors().forEach(it -> refused.add(line(bean, graph, it))));
        fail(refused);
      }
    }
  }

  private static void refuseNamesakes(Map<String, GraphDefinition> beans) {
    var names = new HashMap<String, String>();
    beans.forEach((bean, graph) -> {
      var other = names.putIfAbsent(graph.name(), bean);
      if (other != null) {
        throw new IllegalStateException(
            "the beans '%s' and '%s' both define graph '%s'".formatted(other, bean, graph.name()));
      }
    });
  }

  private static void fail(List<String> refused) {
    if (!refused.isEmpty()) {
      throw new IllegalStateException(
          refused.stream()
              .collect(Collectors.joining("\n", "graphs of the application have errors:\n", "")));
    }
  }

  private Validation checked(String bean, GraphDefinition graph) {
    return said(bean, () -> check.apply(text(graph)));
  }

  private static <T> T said(String bean, Supplier<T> call) {
    try {
      return call.get();
    } catch (ServiceException e) {
      throw new IllegalStateException(
          "the graph of bean '%s' is refused: %s".formatted(bean, e.detail()), e);
    }
  }

  private static DefinitionText text(GraphDefinition graph) {
    return new DefinitionText(graph.yaml().getBytes(StandardCharsets.UTF_8), Format.YAML);
  }

  private boolean isStored(String bean, GraphDefinition graph) {
    var checked = checked(bean, graph);
    if (!checked.errors().isEmpty()) {
      return false;
    }
    said(bean, () -> post.apply(text(graph)))
        .ifPresent(it -> {
          log.info("bean '{}' is version {} of graph '{}'", bean, it.version(), graph.name());
          it.warnings().forEach(warning -> log.warn("{}", line(bean, graph, warning).strip()));
        });
    return true;
  }

  private static String line(String bean, GraphDefinition graph, Violation problem) {
    return "  bean '%s', %s: %s (%s)"
        .formatted(
            bean, place(graph.definition(), problem.pointer()), problem.message(), problem.code());
  }

  /// Nodes by their ids: `node 'price', config.function`.
  private static String place(Value definition, String pointer) {
    var keys = new ArrayList<String>();
    var place = new StringBuilder();
    var at = definition;
    for (var key : keys(pointer)) {
      boolean isNode = keys.equals(List.of("nodes")) && at instanceof ListValue;
      at = at(at, key);
      if (isNode && at instanceof ObjectValue node) {
        place.append("node '%s', ".formatted(node.textOrEmpty("id")));
        keys.clear();
      } else if (keys.equals(List.of("graphs"))) {
        place.append("graph '#%s', ".formatted(key));
        keys.clear();
      } else {
        keys.add(key);
      }
    }
    return place.append(String.join(".", keys)).toString().replaceFirst(", $", "");
  }

  private static List<String> keys(String pointer) {
    return Stream.of(pointer.split("/", -1))
        .skip(1)
        .map(it -> it.replace("~1", "/").replace("~0", "~"))
        .toList();
  }

  private static Value at(Value value, String key) {
    return switch (value) {
      case ObjectValue object -> object.getOr(key, Value.NULL);
      case ListValue list when key.matches("\\d{1,9}") && Integer.parseInt(key) < list.size() ->
          list.get(Integer.parseInt(key));
      default -> Value.NULL;
    };
  }
}
