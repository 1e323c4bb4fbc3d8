package dev.superstep.langgraph.thread;

import static java.util.stream.Collectors.toMap;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.GraphRegistry.Listed;
import dev.superstep.definition.GraphRegistry.Shown;
import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.langgraph.thread.Assistant.Head;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Canonical;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
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

  private static final int REMEMBERED_BYTES_MAX = 16 << 20;
  private static final int REMEMBERED_BYTES = 1 << 10;

  private final AssistantRows rows;
  private final GraphRegistry graphs;

  /// By what callers name them.
  private final Cache<String, StartableAssistant> remembered =
      Caffeine.newBuilder()
          .maximumWeight(REMEMBERED_BYTES_MAX)
          .weigher((String _, StartableAssistant it) -> it.bytes())
          .build();

  /// Ids of graphs by themselves → names, to be checked against the stored graphs.
  private final Map<String, String> names = new ConcurrentHashMap<>();

  Assistants(AssistantRows rows, GraphRegistry graphs) {
    this.rows = rows;
    this.graphs = graphs;
  }

  /// @param shown versions of its graph that can be started, if they were read with it
  /// @param state of what is stored of it, for [#state]
  public record StartableAssistant(Assistant assistant, Optional<Shown> shown, String state) {
    private int bytes() {
      var content = assistant.content();
      return REMEMBERED_BYTES
          + Stream.of(content.config(), content.context(), content.metadata())
              .mapToInt(it -> Math.toIntExact(Canonical.size(it)))
              .sum();
    }
  }

  /// An SQL expression of the state of an assistant as it is now: equal to
  /// [StartableAssistant#state] as long as its content is.
  ///
  /// @param id SQL expression
  public static String state(String id) {
    return AssistantRows.stateOf(id);
  }

  /// @param assistant id, or the name of a graph
  /// @throws ServiceException `assistant_not_found`
  public Assistant find(String assistant) {
    return look(assistant).orElseThrow(() -> notFound(assistant)).assistant();
  }

  /// For a call that starts its graph.
  ///
  /// @throws ServiceException `assistant_not_found`
  public StartableAssistant startable(String assistant) {
    var found = look(assistant);
    found
        .filter(it -> isDecidedByState(assistant, it))
        .ifPresentOrElse(
            it -> remembered.put(assistant, it), () -> remembered.invalidate(assistant));
    return found.orElseThrow(() -> notFound(assistant));
  }

  private static ServiceException notFound(String assistant) {
    return new ServiceException(
        ErrorCode.ASSISTANT_NOT_FOUND, "there is no assistant or graph '%s'".formatted(assistant));
  }

  /// What the last look-up of this process has found. It still holds if the versions of the graph
  /// and [#state] do.
  public Optional<StartableAssistant> remembered(String assistant) {
    return Optional.ofNullable(remembered.getIfPresent(assistant))
        .filter(it -> Tenant.admits(assistant) && isReached(it));
  }

  /// Whether a look-up finds the same as long as that has the same state, and its graph can be
  /// started. The assistant of another graph might be found by an id of its own later.
  private static boolean isDecidedByState(String named, StartableAssistant found) {
    return found.shown().isPresent()
        && (!RequestFields.isUuid(Tenant.shown(named))
            || named.toLowerCase(Locale.ROOT).equals(found.assistant().id()));
  }

  private Optional<StartableAssistant> look(String assistant) {
    return anybodys(assistant).filter(Assistants::isReached);
  }

  private static boolean isReached(StartableAssistant found) {
    return Reach.admitsGraph(found.assistant().graph());
  }

  private Optional<StartableAssistant> anybodys(String assistant) {
    if (RequestFields.isUuid(Tenant.shown(assistant))) {
      var id = assistant.toLowerCase(Locale.ROOT);
      var found = rows.startable(id).or(() -> graphName(id).flatMap(rows::ofGraph));
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
    if (known != null && hasGraph(known)) {
      return Optional.of(known);
    }
    var current =
        listed().stream()
            .collect(toMap(it -> AssistantIds.ofGraph(it.name()), Listed::name, (it, _) -> it));
    names.putAll(current);
    var tenant = Tenant.current();
    names
        .entrySet()
        .removeIf(it -> tenant.owns(it.getValue()) && !current.containsKey(it.getKey()));
    return Optional.ofNullable(current.get(id));
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
    var stored =
        rows.versions(found.id()).stream().filter(it -> Reach.admitsGraph(it.graph())).toList();
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
        .filter(it -> Reach.admitsGraph(it.graph()))
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
