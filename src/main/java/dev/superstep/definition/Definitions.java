package dev.superstep.definition;

import dev.superstep.compute.ComputePool;
import dev.superstep.expression.ExpressionCount;
import dev.superstep.expression.TooManyExpressionsException;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/// What the API does with definitions.
@Service
public final class Definitions {
  private final DefinitionReader reader;
  private final ComputePool compute;
  private final DefinitionLimits limits;
  private final CalledGraphs called;
  private final GraphStore store;
  private final GraphLists lists;
  private final ActiveRuns runs;

  // What it takes to read a definition, and to keep it.
  @SuppressWarnings("checkstyle:ParameterNumber")
  Definitions(
      DefinitionReader reader,
      ComputePool compute,
      DefinitionLimits limits,
      CalledGraphs called,
      GraphStore store,
      GraphLists lists,
      ActiveRuns runs) {
    this.reader = reader;
    this.compute = compute;
    this.limits = limits;
    this.called = called;
    this.store = store;
    this.lists = lists;
    this.runs = runs;
  }

  /// Checks and stores a definition: a new version, unless the newest says the same. Safe against
  /// others who post under the same name at the same moment.
  ///
  /// @throws ServiceException `invalid_definition` with everything that is wrong
  public Posted post(DefinitionText text) {
    var reading = read(text);
    if (!reading.errors().isEmpty()) {
      throw invalid(reading.errors());
    }
    var name = new Fields(reading.definition()).text("name").orElseThrow();
    return store.post(name, reading.definition(), reading.warnings());
  }

  /// Checks a definition; stores and executes nothing.
  public Validation validate(DefinitionText text) {
    var reading = read(text);
    return new Validation(reading.errors(), reading.warnings());
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

  /// Hides the name; versions stay for the runs that have them.
  ///
  /// @throws ServiceException `graph_not_found`, `graph_in_use`
  public void hide(String name) {
    store.hide(name, runs);
  }

  private Reading read(DefinitionText text) {
    var reading = compute.call(() -> readHere(text));
    return called.check(reading);
  }

  private Reading readHere(DefinitionText text) {
    var parsed = text.parse(limits);
    if (!parsed.problems().isEmpty()) {
      return unread(parsed.problems());
    }
    try {
      return ExpressionCount.atMost(
          limits.expressionsMax(),
          () -> placed(text, withoutBraces(parsed.value(), reader.read(parsed.value()))));
    } catch (TooManyExpressionsException e) {
      return unread(
          List.of(Problem.of("", Codes.TOO_MANY, "the definition has " + e.getMessage())));
    }
  }

  private static Reading withoutBraces(Value posted, Reading reading) {
    var errors = Braces.check(posted, reading.definition(), reading.errors());
    return new Reading(
        reading.definition(),
        reading.plan().filter(_ -> errors.isEmpty()),
        errors,
        reading.warnings());
  }

  private static Reading placed(DefinitionText text, Reading reading) {
    return new Reading(
        reading.definition(),
        reading.plan(),
        text.placed(reading.errors()),
        text.placed(reading.warnings()));
  }

  private static Reading unread(List<Problem> errors) {
    return new Reading(ObjectValue.empty(), Optional.empty(), errors, List.of());
  }

  static ServiceException invalid(List<Problem> errors) {
    var first = errors.getFirst();
    return new ServiceException(
        ErrorCode.INVALID_DEFINITION,
        "%d problem(s), the first at '%s': %s"
            .formatted(errors.size(), first.pointer(), first.message()),
        DefinitionText.fieldErrors(errors));
  }
}
