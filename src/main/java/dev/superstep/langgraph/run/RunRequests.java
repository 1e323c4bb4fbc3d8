package dev.superstep.langgraph.run;

import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.assistant.Assistant;
import dev.superstep.langgraph.assistant.Assistants;
import dev.superstep.state.value.ObjectValue;
import org.springframework.stereotype.Component;

/// Reads calls that begin runs, with what their assistants are configured with.
@Component
@OnLangGraph
public class RunRequests {
  private static final String CONFIG = "config";
  private static final String CONFIGURABLE = "configurable";
  private static final String CONTEXT = "context";

  private final Assistants assistants;

  RunRequests(Assistants assistants) {
    this.assistants = assistants;
  }

  /// The values of the call override those of the assistant, key by key.
  public RunCreate read(ObjectValue body) {
    var call = new LenientObject(body, "");
    var id =
        call.text("assistant_id")
            .orElseThrow(
                () -> RequestReader.refuse("/assistant_id", "is missing: the name of a graph"));
    var assistant = assistants.find(id);
    return new RequestReader(configured(assistant, call)).read(assistant, body);
  }

  private static ObjectValue configured(Assistant assistant, LenientObject call) {
    var content = assistant.content();
    var base = new LenientObject(content.config(), "/config");
    var config = call.object(CONFIG);
    var configurable =
        base.object(CONFIGURABLE)
            .plusAll(new LenientObject(config, "/config").object(CONFIGURABLE));
    return call.value()
        .plus(CONFIG, content.config().plusAll(config).plus(CONFIGURABLE, configurable))
        .plus(CONTEXT, content.context().plusAll(call.object(CONTEXT)));
  }
}
