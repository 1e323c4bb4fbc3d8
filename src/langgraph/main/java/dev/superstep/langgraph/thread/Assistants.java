package dev.superstep.langgraph.thread;

import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.GraphRegistry.Listed;
import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.langgraph.thread.Assistant.Head;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Finds assistants: those that are stored, and those that graphs are by themselves.
@Component
@OnLangGraph
public class Assistants {
  /// Graphs beyond these are found by their names only.
  static final int GRAPHS_MAX = 10_000;

  private final AssistantRows rows;
  private final GraphRegistry graphs;

  /// Ids of graphs by themselves → names, to be checked against the stored graphs.
  private final Map<String, String> names = new ConcurrentHashMap<>();

  Assistants(AssistantRows rows, GraphRegistry graphs) {
    this.rows = rows;
    this.graphs = graphs;
  }

  /// @param newest version of its graph as of now, if that was read with it
  public record StartableAssistant(Assistant assistant, Optional<Integer> newest) {}

  /// @param assistant id, or the name of a graph
  /// @throws ServiceException `assistant_not_found`
  public Assistant find(String assistant) {
    return startable(assistant).assistant();
  }

  /// For a call that starts its graph.
  ///
  /// @throws ServiceException `assistant_not_found`
  public StartableAssistant startable(String assistant) {
    return look(assistant)
        .orElseThrow(() ->
            new ServiceException(
                ErrorCode.ASSISTANT_NOT_FOUND,
                "there is no assistant or graph '%s'".formatted(assistant)));
  }

  private Optional<StartableAssistant> look(String assistant) {
    if (RequestFields.isUuid(assistant)) {
      var id = assistant.toLowerCase(Locale.ROOT);
      var found =
          rows.find(id)
              .map(it -> new StartableAssistant(it, Optional.empty()))
              .or(() -> graphName(id).flatMap(rows::ofGraph));
      if (found.isPresent()) {
        return found;
      }
    }
    return rows.ofGraph(assistant);
  }

  boolean hasGraph(String name) {
    return graphs.shown(Set.of(name)).containsKey(name);
  }

  private Optional<String> graphName(String id) {
    var known = names.get(id);
    if (known == null || !hasGraph(known)) {
      names.clear();
      listed().forEach(it -> names.put(AssistantIds.ofGraph(it.name()), it.name()));
    }
    return Optional.ofNullable(names.get(id));
  }

  private List<Listed> listed() {
    return graphs.listed(GRAPHS_MAX);
  }

  /// @param total of all that meet the conditions
  record AssistantPage(List<Assistant> page, int total) {}

  @Transactional(readOnly = true)
  AssistantPage search(AssistantSearch search) {
    var found = search.of(heads(), rows::metadata);
    return new AssistantPage(contents(search.page(found)), found.size());
  }

  @Transactional(readOnly = true)
  int count(AssistantSearch search) {
    return search.of(heads(), rows::metadata).size();
  }

  /// A page of the versions of an assistant, newest first.
  @Transactional(readOnly = true)
  List<Assistant> versions(String assistant, AssistantSearch search) {
    var found = find(assistant);
    var stored = rows.versions(found.id());
    var all = stored.isEmpty() ? List.of(Head.of(found)) : stored;
    return contents(search.page(search.withMetadata(all, rows::metadata)));
  }

  /// All of them, those of graphs that can be started.
  private List<Head> heads() {
    var stored = rows.heads();
    var known = new HashSet<String>();
    stored.forEach(it -> known.add(it.key().id()));
    return Stream.concat(
            stored.stream(),
            listed().stream()
                .map(Assistant::of)
                .map(Head::of)
                .filter(it -> !known.contains(it.key().id())))
        .toList();
  }

  private List<Assistant> contents(List<Head> page) {
    var stored = rows.contents(page);
    return page.stream()
        .flatMap(it ->
            it.stored() ? Stream.ofNullable(stored.get(it.key())) : Stream.of(Assistant.of(it)))
        .toList();
  }
}
