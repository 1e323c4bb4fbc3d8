package dev.superstep.langgraph.run;

import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.RunCall.CallOptions;
import dev.superstep.langgraph.run.RunCreate.Chosen;
import dev.superstep.langgraph.thread.Assistants;
import dev.superstep.run.CompanionRows;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// The rows of calls that begin runs at once, inserted with these: both, or neither.
@Component
@OnLangGraph
class RunCallCompanion implements CompanionRows {
  private static final String STATE = "state";

  /// The row of a call.
  static ObjectValue row(CallOptions options, Optional<Chosen> chosen) {
    var row =
        ObjectValue.builder()
            .put("assistant", options.assistant())
            .put("metadata", Canonical.text(options.metadata()))
            .put("kwargs", Canonical.text(options.kwargs()))
            .put("strategy", options.strategy());
    chosen.ifPresent(it -> row.put("hash", it.hash()));
    return row.build();
  }

  /// The row of a call that was read with a remembered assistant, and must not be inserted if that
  /// has changed.
  static ObjectValue remembering(ObjectValue row, String state) {
    return row.plus(STATE, state);
  }

  @Override
  public String condition() {
    return """
    (companion::jsonb ->> 'state' is null
     or companion::jsonb ->> 'state' = %s)
    """
        .formatted(Assistants.state("companion::jsonb ->> 'assistant'"));
  }

  @Override
  public String insert() {
    return """
    insert into langgraph_run
           (id, run, thread, after_seq, after_checkpoint, assistant, metadata, kwargs, strategy,
            nothing, request_hash, created_at)
    select id, id, thread_id, 0, -1, call ->> 'assistant', call ->> 'metadata', call ->> 'kwargs',
           call ->> 'strategy', false, call ->> 'hash', created
      from given cross join lateral (select companion::jsonb as call) as read
     where companion is not null
    """;
  }
}
