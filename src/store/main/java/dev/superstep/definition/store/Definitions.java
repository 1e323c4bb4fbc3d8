package dev.superstep.definition.store;

import dev.superstep.compute.ComputePool;
import dev.superstep.definition.ActiveRuns;
import dev.superstep.definition.AuthorText;
import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.GraphPosition;
import dev.superstep.definition.GraphVersion;
import dev.superstep.definition.PinnedTools;
import dev.superstep.definition.PostResult;
import dev.superstep.definition.Validation;
import dev.superstep.definition.read.DefinitionReader;
import dev.superstep.definition.read.DefinitionText;
import dev.superstep.definition.read.DefinitionTextReader;
import dev.superstep.definition.read.ReadResult;
import dev.superstep.graph.Violation;
import dev.superstep.json.Yaml;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/// The operations of the API on definitions.
@Service
public final class Definitions {
  private final DefinitionTextReader texts;
  private final ComputePool compute;
  private final SubgraphReferences called;
  private final GraphStore store;
  private final GraphLists lists;
  private final ActiveRuns runs;
  private final PinnedTools pinnedTools;

  Definitions(
      DefinitionReader reader,
      ComputePool compute,
      DefinitionLimits limits,
      SubgraphReferences called,
      GraphStore store,
      GraphLists lists,
      ActiveRuns runs,
      PinnedTools pinnedTools) {
    this.texts = new DefinitionTextReader(reader, limits);
    this.compute = compute;
    this.called = called;
    this.store = store;
    this.lists = lists;
    this.runs = runs;
    this.pinnedTools = pinnedTools;
  }

  /// Checks and stores a definition: a new version, unless the newest is identical. Safe against
  /// concurrent posts under the same name.
  ///
  /// @throws ServiceException `invalid_definition` with everything that is wrong
  public PostResult post(DefinitionText text) {
    var readResult = valid(text);
    var name = Tenant.current().own(readResult.definition().findText("name").orElseThrow());
    if (!Reach.admitsGraph(name)) {
      throw new ServiceException(
          ErrorCode.FORBIDDEN,
          "your key or token is limited to graphs with other names than '%s'".formatted(name));
    }
    return store.post(
        name,
        readResult.definition(),
        readResult.warnings(),
        text.source(),
        pinnedTools.of(readResult.definition()));
  }

  /// Posts a definition, unless the newest version is identical: that stays as it is, with what its
  /// tools have said.
  public Optional<GraphVersion> postChanged(DefinitionText text) {
    var definition = valid(text).definition();
    var name = Tenant.current().own(definition.textOrEmpty("name"));
    return store.newest(name).filter(it -> it.definition().equals(definition)).isPresent()
        ? Optional.empty()
        : Optional.of(post(text).version());
  }

  /// What a definition without errors holds.
  ///
  /// @throws ServiceException `invalid_definition` with everything that is wrong
  ReadResult valid(DefinitionText text) {
    var readResult = read(text);
    if (!readResult.errors().isEmpty()) {
      throw invalid(readResult.errors());
    }
    return readResult;
  }

  /// Checks a definition; stores and executes nothing.
  public Validation validate(DefinitionText text) {
    var readResult = read(text);
    return new Validation(readResult.errors(), readResult.warnings(), readResult.definition());
  }

  /// The newest versions of all graphs, newest first.
  public List<GraphVersion> graphs(Optional<GraphPosition> after, int limit) {
    return lists.graphs(after, limit);
  }

  /// The versions of a graph below `below`, newest first.
  ///
  /// @throws ServiceException `graph_not_found`
  public List<GraphVersion> versions(String name, int below, int limit) {
    return lists.versions(name, below, limit);
  }

  /// The newest version.
  ///
  /// @throws ServiceException `graph_not_found`
  public GraphVersion newest(String name) {
    return store.newest(name).orElseThrow(() -> GraphStore.notFound(name));
  }

  /// One version.
  ///
  /// @throws ServiceException `graph_not_found`, `version_not_found`
  public GraphVersion version(String name, int version) {
    newest(name);
    return store.shown(name, version).orElseThrow(() -> GraphStore.notFound(name, version));
  }

  /// What the author posted last for a version, hidden or not; empty: an earlier release has stored
  /// it.
  public Optional<AuthorText> source(String name, int version) {
    return store.source(name, version);
  }

  /// A version as YAML that can be edited and posted: the author's own text if that is YAML, else
  /// the long form.
  public String yaml(GraphVersion version) {
    return source(version.name(), version.version())
        .filter(it -> it.format() == AuthorText.Format.YAML)
        .map(AuthorText::text)
        .orElseGet(() -> Yaml.write(version.definition()));
  }

  /// Hides the name; versions stay for the runs that have them.
  ///
  /// @throws ServiceException `graph_not_found`, `graph_in_use`
  public void hide(String name) {
    store.hide(name, runs);
  }

  private ReadResult read(DefinitionText text) {
    var readResult = compute.call(() -> texts.read(text));
    return called.check(readResult, text);
  }

  static ServiceException invalid(List<Violation> errors) {
    var first = errors.getFirst();
    return new ServiceException(
        ErrorCode.INVALID_DEFINITION,
        "%d problem(s), the first at '%s': %s"
            .formatted(errors.size(), first.pointer(), first.message()),
        FieldError.of(errors));
  }
}
