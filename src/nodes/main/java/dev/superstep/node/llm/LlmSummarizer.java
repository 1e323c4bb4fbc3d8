package dev.superstep.node.llm;

import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.definition.type.SummarizerType;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.graph.Violations;
import dev.superstep.json.Json;
import dev.superstep.model.ModelOptions;
import dev.superstep.model.ModelPermits;
import dev.superstep.model.Models;
import dev.superstep.state.value.ObjectValue;

/// Summarises with a model the items that a compaction removes (definitions.md, *Compaction of a
/// channel*).
final class LlmSummarizer implements SummarizerType {
  private static final String SCHEMA =
      """
      {"type": "object",
       "properties": {
         "model": {"type": "string", "minLength": 1,
                   "description": "Name of the model; absent: the server's default"},
         "prompt": {"type": "string", "minLength": 1,
                    "description": "System prompt; absent: one that asks for a short summary"},
         "options": {"type": "object", "description": "As of llm nodes"}},
       "additionalProperties": false}
      """;
  private final Models models;
  private final ModelPermits permits;
  private final ModelCalls calls;

  LlmSummarizer(Models models, ModelPermits permits, ModelCalls calls) {
    this.permits = permits;
    this.models = models;
    this.calls = calls;
  }

  @Override
  public String name() {
    return "llm";
  }

  @Override
  public ObjectValue configSchema() {
    return (ObjectValue) Json.read(SCHEMA);
  }

  /// As with llm nodes, a server without models takes it: it fails when it is needed, and loses
  /// nothing.
  @Override
  public Summarizer create(ObjectValue config, String graph) {
    var model = config.textOrEmpty("model");
    var options = config.objectOrEmpty("options");
    var violations = violations(model, options, graph);
    if (violations.hasErrors()) {
      throw new InvalidNodeException(violations.errors());
    }
    var prompt = config.findText("prompt").orElse(ModelSummary.PROMPT);
    return new ModelSummary(
        () -> model.isEmpty() ? models.standard() : models.find(model), prompt, options, calls);
  }

  private Violations violations(String model, ObjectValue options, String graph) {
    var violations = new Violations();
    var found = model.isEmpty() ? models.standard() : models.find(model);
    if (!models.names().isEmpty() && found.isEmpty()) {
      violations.error(
          "/model",
          "unknown_model",
          model.isEmpty()
              ? "name a model: this server has no default among %s".formatted(models.names())
              : "this server has no model '%s'; it has %s".formatted(model, models.names()));
    }
    found
        .flatMap(it -> permits.refusal(it, graph))
        .ifPresent(it -> violations.error("/model", ModelPermits.NOT_ALLOWED, it));
    ModelOptions.problem(options)
        .ifPresent(it -> violations.error("/options", "bad_model_options", it));
    return violations;
  }
}
