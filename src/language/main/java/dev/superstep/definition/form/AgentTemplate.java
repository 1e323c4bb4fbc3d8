package dev.superstep.definition.form;

import dev.superstep.graph.Location;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// `template: agent` (S0-15): the channels of seed 0, with reducers, compaction and mirror, and the
/// agent fields (S1-10, S1-11). It is written out into the definition that is stored, so that a
/// version never changes with the template.
public final class AgentTemplate {
  private static final String NAME = "agent";
  private static final String TEMPLATE = "template";

  /// The compaction of seed 0: messages over a threshold give way to a summary.
  private static final String CHANNELS =
      """
      {
        "messages": {
          "reducer": "messages", "mirror_to": "full_messages",
          "compaction": {
            "when": {"tokens_over": 4000, "messages_over": 50}, "keep_last": 10,
            "summarizer": {"type": "llm"}}},
        "full_messages": {"reducer": "block_append", "append_only": true},
        "context": {"default": {}},
        "system_prompt": {}, "tools": {}, "max_iterations": {}, "callbacks": {}, "callback_meta": {},
        "iteration": {"scope": "run"}, "finish_reason": {"scope": "run"},
        "scratchpad": {"reducer": "append", "scope": "run"}, "validated_content": {"scope": "run"},
        "interrupted": {"scope": "run"}, "rejected": {"scope": "run"}
      }
      """;

  /// Nodes whose calls get three attempts.
  private static final Set<String> CALLING = Set.of("llm", "http", "tool");

  private static final ObjectValue STANDARD = (ObjectValue) Json.read(CHANNELS);

  private AgentTemplate() {}

  /// The fields of agents, which nodes read and write also where no template declares them.
  public static Set<String> fields() {
    return STANDARD.asMap().keySet();
  }

  /// The definition without the template; what it declares itself wins.
  static ObjectValue expand(ObjectValue definition, Location at, Origins.Builder origins) {
    if (!Value.of(NAME).equals(definition.get(TEMPLATE))) {
      return definition;
    }
    var declared = definition.objectOrEmpty("channels");
    var channels = STANDARD.plusAll(declared);
    if (!declared.has("messages")) {
      channels = summarizedBy(model(definition), channels);
    }
    var template = at.key(TEMPLATE).pointer();
    STANDARD.forEach((name, _) -> {
      if (!declared.has(name)) {
        origins.made(at.key("channels").key(name), template);
      }
    });
    var nodes = definition.listOrEmpty("nodes");
    for (var item : Item.each(definition, "nodes", at)) {
      if (isCall(item) && !item.has(RetryLists.RETRY) && !item.has(RetryLists.RETRIES)) {
        nodes = nodes.with(item.index(), item.object().plus("retry", ObjectValue.empty()));
        origins.made(item.at().key("retry"), template);
      }
    }
    return definition.minus(TEMPLATE).plus("channels", channels).plus("nodes", nodes);
  }

  private static boolean isCall(Item node) {
    return node.findText("type").filter(CALLING::contains).isPresent();
  }

  /// The model that talks summarises, too: a server may have no default.
  private static ObjectValue summarizedBy(Optional<String> model, ObjectValue channels) {
    if (model.isEmpty()) {
      return channels;
    }
    var messages = channels.objectOrEmpty("messages");
    var compaction = messages.objectOrEmpty("compaction");
    var summarizer = compaction.objectOrEmpty("summarizer");
    return channels.plus(
        "messages",
        messages.plus(
            "compaction", compaction.plus("summarizer", summarizer.plus("model", model.get()))));
  }

  private static Stream<String> models(ObjectValue config) {
    return Stream.concat(
            config.findText("model").stream(),
            config.listOrEmpty("models").stream()
                .filter(Value.Text.class::isInstance)
                .map(it -> ((Value.Text) it).value()))
        .limit(1);
  }

  /// The first that an `llm` node names outright.
  private static Optional<String> model(ObjectValue graph) {
    return graph.objects("nodes").stream()
        .filter(it -> it.isText("type", "llm"))
        .flatMap(it -> it.findObject("config").stream())
        .flatMap(AgentTemplate::models)
        .filter(it -> !it.contains("{{"))
        .findFirst();
  }
}
