package dev.superstep.langgraph.run;

import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.assistant.Assistant;
import dev.superstep.langgraph.assistant.Assistants;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.springframework.stereotype.Component;

/// Reads requests for runs of assistants. Of the configuration of the assistant and that of the
/// request the latter wins, key by key.
@Component
@OnLangGraph
class RunRequests {
  private static final String CONFIG = "config";
  private static final String CONFIGURABLE = "configurable";
  private static final String CONTEXT = "context";
  private final Assistants assistants;

  RunRequests(Assistants assistants) {
    this.assistants = assistants;
  }

  /// @throws ServiceException `assistant_not_found`, or what is wrong with the body
  RunCreate read(ObjectValue body) {
    var asked = new RequestReader(body).read();
    var assistant = assistants.find(asked.assistant());
    var settings = new RequestReader(configured(body, assistant)).read().settings();
    return new RunCreate(
        assistant.id(),
        assistant.graph(),
        asked.work(),
        settings,
        asked.thread(),
        asked.stream(),
        asked.metadata(),
        body);
  }

  private static ObjectValue configured(ObjectValue body, Assistant assistant) {
    var content = assistant.content();
    var config = content.config().plusAll(object(body, CONFIG));
    var configurable =
        object(content.config(), CONFIGURABLE).plusAll(object(object(body, CONFIG), CONFIGURABLE));
    return body.plus(CONFIG, config.plus(CONFIGURABLE, configurable))
        .plus(CONTEXT, content.context().plusAll(object(body, CONTEXT)));
  }

  private static ObjectValue object(ObjectValue whole, String member) {
    return whole.getOr(member, Value.NULL) instanceof ObjectValue object
        ? object
        : ObjectValue.empty();
  }
}
