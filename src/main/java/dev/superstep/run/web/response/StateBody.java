package dev.superstep.run.web.response;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.view.StateView;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of a run at a checkpoint.
@Schema(name = "State", description = "The committed state at a checkpoint")
public record StateBody(
    int checkpoint,
    int superstep,
    ObjectValue state,
    @Schema(description = "With `values_max`: what `state` comes without")
        @Nullable List<StateValues.OmittedBody> omitted,
    @JsonProperty("state_hash") String stateHash,
    @JsonProperty("pending_results")
        @Schema(description = "With `pending=true`: the held results of a held superstep")
        @Nullable List<TaskBody> pendingResults) {

  public static StateBody committed(StateView view, StateValues wanted) {
    return of(view, wanted, null);
  }

  public static StateBody withPending(StateView view, StateValues wanted) {
    return of(view, wanted, view.pendingResults().stream().map(TaskBody::new).toList());
  }

  private static StateBody of(
      StateView view, StateValues wanted, @Nullable List<TaskBody> pending) {
    var shown = wanted.shown(view.state());
    return new StateBody(
        view.checkpoint(),
        view.superstep(),
        shown.state(),
        shown.omitted(),
        view.stateHash(),
        pending);
  }
}
