package dev.superstep.node;

import dev.superstep.definition.type.SummarizerType;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// Drops old messages without a summary.
final class DropSummarizer implements SummarizerType, Summarizer {
  private static final String SCHEMA = "{\"type\": \"object\", \"additionalProperties\": false}";

  @Override
  public String name() {
    return "drop";
  }

  @Override
  public ObjectValue configSchema() {
    return (ObjectValue) Json.read(SCHEMA);
  }

  @Override
  public Summarizer create(ObjectValue config, String graph) {
    return this;
  }

  @Override
  public Optional<String> summarize(ListValue messages, NodeCall call) {
    return Optional.empty();
  }

  @Override
  public boolean pure() {
    return true;
  }
}
