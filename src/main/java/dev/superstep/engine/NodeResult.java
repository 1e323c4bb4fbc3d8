package dev.superstep.engine;

import dev.superstep.state.Change;
import dev.superstep.state.ObjectValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a node that is done wants (E26, E30).
///
/// @param goTo null: the node's edges decide; else these node ids replace them, `[]` ends the
///   branch
/// @param dispatch run in addition to either
/// @param variables added to the prompt context, dotted keys
/// @param prompt for the history entry of the prompt context
/// @param response likewise
public record NodeResult(
    Change change,
    @Nullable List<String> goTo,
    List<DispatchRequest> dispatch,
    ObjectValue variables,
    @Nullable String prompt,
    @Nullable String response) {

  public static final NodeResult NOTHING = of(Change.NONE);

  public NodeResult {
    goTo = goTo == null ? null : List.copyOf(goTo);
    dispatch = List.copyOf(dispatch);
  }

  public static NodeResult of(Change change) {
    return new NodeResult(change, null, List.of(), ObjectValue.empty(), null, null);
  }

  NodeResult with(Change changed) {
    return new NodeResult(changed, goTo, dispatch, variables, prompt, response);
  }
}
