package dev.superstep.langgraph.run;

import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.langgraph.thread.Assistant;
import dev.superstep.langgraph.thread.Assistants;
import dev.superstep.langgraph.thread.Assistants.StartableAssistant;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/// Reads calls that begin runs, with what their assistants are configured with.
@Component
@OnLangGraph
class RunRequests {
  private static final String CONFIG = "config";
  private static final String CONFIGURABLE = "configurable";
  private static final String CONTEXT = "context";
  private static final int KEPT_BYTES_MAX = 16_384;
  private static final Set<String> KEPT =
      Set.of(
          "stream_mode",
          "stream_subgraphs",
          "on_disconnect",
          CONFIG,
          CONTEXT,
          "interrupt_before",
          "interrupt_after",
          "multitask_strategy",
          "durability",
          "on_completion",
          "if_not_exists",
          "after_seconds",
          "checkpoint_id");

  private final Assistants assistants;

  RunRequests(Assistants assistants) {
    this.assistants = assistants;
  }

  /// The values of the call override those of the assistant, key by key.
  RunCreate read(ObjectValue body) {
    return read(body, assistants.startable(assistant(body)));
  }

  /// A call for a run without a thread, read with what this process remembers of its assistant;
  /// empty if that is nothing, if it would be refused, or if its start takes several statements.
  Optional<RunCreate> remembered(ObjectValue body) {
    try {
      return assistants
          .remembered(assistant(body))
          .map(it -> read(body, it))
          .filter(RunCreate::isSingle);
    } catch (ServiceException _) {
      return Optional.empty(); // by what may not hold any more
    }
  }

  private static String assistant(ObjectValue body) {
    return RequestReader.text(RequestFields.of(body), "assistant_id")
        .map(Tenant.current()::own)
        .orElseThrow(
            () -> RequestReader.refuse("/assistant_id", "is missing: the name of a graph"));
  }

  private static RunCreate read(ObjectValue body, StartableAssistant startable) {
    var call = RequestFields.of(body);
    return new RequestReader(configured(startable.assistant(), call))
        .read(startable, body, kept(body));
  }

  /// What is kept with a run, and shown with each list of runs: no input and no answer, and of the
  /// rest only what is small.
  private static ObjectValue kept(ObjectValue body) {
    var kept = ObjectValue.builder();
    body.forEach((member, value) -> {
      if (KEPT.contains(member) && (Canonical.size(value) <= KEPT_BYTES_MAX)) {
        kept.put(member, value);
      }
    });
    return kept.build();
  }

  private static ObjectValue configured(Assistant assistant, RequestFields call) {
    var content = assistant.content();
    var config = call.objectOrEmpty(CONFIG);
    var configurable =
        RequestFields.of(content.config(), "/config")
            .objectOrEmpty(CONFIGURABLE)
            .plusAll(RequestFields.of(config, "/config").objectOrEmpty(CONFIGURABLE));
    return call.members()
        .plus(CONFIG, content.config().plusAll(config).plus(CONFIGURABLE, configurable))
        .plus(CONTEXT, content.context().plusAll(call.objectOrEmpty(CONTEXT)));
  }
}
