package dev.superstep.engine.run;

import dev.superstep.graph.DispatchPolicy;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a node that is done (E26, E30).
///
/// @param goTo null: the node's edges decide; else these node ids replace them, `[]` ends the
///   branch
/// @param dispatch run in addition to either
/// @param variables added to the prompt context, dotted keys
/// @param prompt for the history entry of the prompt context
/// @param response for the history entry of the prompt context
/// @param events stored with the commit, in this order
/// @param historyMetadata of the history entry, overridden by the service's own
/// @param runFailure the error that the run ends with once its superstep commits; null: it goes on
/// @param policy how far the dispatches have to get (E54); null: as the node says
public record NodeResult(
    Change change,
    @Nullable List<String> goTo,
    List<DispatchRequest> dispatch,
    ObjectValue variables,
    @Nullable String prompt,
    @Nullable String response,
    List<CustomEvent> events,
    ObjectValue historyMetadata,
    @Nullable TaskError runFailure,
    @Nullable DispatchPolicy policy) {

  public static final NodeResult NOTHING = of(Change.NONE);

  public NodeResult {
    goTo = goTo == null ? null : List.copyOf(goTo);
    dispatch = List.copyOf(dispatch);
    events = List.copyOf(events);
  }

  /// A result without events.
  public NodeResult(
      Change change,
      @Nullable List<String> goTo,
      List<DispatchRequest> dispatch,
      ObjectValue variables,
      @Nullable String prompt,
      @Nullable String response) {
    this(change, goTo, dispatch, variables, prompt, response, List.of(), ObjectValue.empty());
  }

  /// A result after which the run goes on.
  public NodeResult(
      Change change,
      @Nullable List<String> goTo,
      List<DispatchRequest> dispatch,
      ObjectValue variables,
      @Nullable String prompt,
      @Nullable String response,
      List<CustomEvent> events,
      ObjectValue historyMetadata) {
    this(change, goTo, dispatch, variables, prompt, response, events, historyMetadata, null, null);
  }

  public static NodeResult of(Change change) {
    return new NodeResult(change, null, List.of(), ObjectValue.empty(), null, null);
  }

  /// The run ends with this error.
  public static NodeResult failingRun(TaskError error) {
    return new NodeResult(
        Change.NONE,
        List.of(),
        List.of(),
        ObjectValue.empty(),
        null,
        error.message(),
        List.of(),
        ObjectValue.empty(),
        error,
        null);
  }

  public NodeResult with(Change changed) {
    return copy(changed, goTo, events, policy);
  }

  /// This result with other targets.
  public NodeResult leadingTo(List<String> nodes) {
    return copy(change, nodes, events, policy);
  }

  /// This result, with a policy for what it and the edges of its node dispatch.
  public NodeResult under(@Nullable DispatchPolicy dispatchPolicy) {
    return copy(change, goTo, events, dispatchPolicy);
  }

  /// This result, preceded by these events.
  public NodeResult behind(List<CustomEvent> earlier) {
    if (earlier.isEmpty()) {
      return this;
    }
    var all = new ArrayList<>(earlier);
    all.addAll(events);
    return copy(change, goTo, all, policy);
  }

  private NodeResult copy(
      Change changed,
      @Nullable List<String> nodes,
      List<CustomEvent> allEvents,
      @Nullable DispatchPolicy dispatchPolicy) {
    return new NodeResult(
        changed,
        nodes,
        dispatch,
        variables,
        prompt,
        response,
        allEvents,
        historyMetadata,
        runFailure,
        dispatchPolicy);
  }

  /// The part to store with a committed task: its dispatches are among what is pending, its events
  /// in the log.
  public NodeResult committed() {
    return dispatch.isEmpty() && events.isEmpty() && policy == null
        ? this
        : new NodeResult(
            change,
            goTo,
            List.of(),
            variables,
            prompt,
            response,
            List.of(),
            historyMetadata,
            runFailure,
            null);
  }
}
