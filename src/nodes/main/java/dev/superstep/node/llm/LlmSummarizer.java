package dev.superstep.node.llm;

import dev.superstep.definition.Codes;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.definition.type.SummarizerType;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Violations;
import dev.superstep.json.Json;
import dev.superstep.model.Model;
import dev.superstep.model.ModelOptions;
import dev.superstep.model.ModelPermits;
import dev.superstep.model.Models;
import dev.superstep.state.value.ObjectValue;
import java.util.List;

/// Summarises with a model the items that a compaction removes (definitions.md, *Compaction of a
/// channel*).
final class LlmSummarizer implements SummarizerType {
  private static final String MODELS = "models";
  private static final String SCHEMA =
      """
      {"type": "object",
       "properties": {
         "model": {"type": "string", "minLength": 1,
                   "description": "Name of the model; absent: the server's default"},
         "models": {"type": "array", "minItems": 1, "maxItems": 8,
                    "items": {"type": "string", "minLength": 1},
                    "description": "Names in the order of preference, as of llm nodes"},
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
    var names = names(config);
    var options = config.objectOrEmpty("options");
    var violations = violations(config, options, graph);
    if (violations.hasErrors()) {
      throw new InvalidNodeException(violations.errors());
    }
    var prompt = config.findText("prompt").orElse(ModelSummary.PROMPT);
    return new ModelSummary(() -> found(names), prompt, options, calls);
  }

  private static List<String> names(ObjectValue config) {
    return config.has(MODELS)
        ? config.listOrEmpty(MODELS).stream().map(PromptBuilder::text).distinct().toList()
        : config.findText("model").stream().toList();
  }

  /// Those that there are.
  private List<Model> found(List<String> names) {
    return names.isEmpty()
        ? models.standard().stream().toList()
        : names.stream().flatMap(it -> models.find(it).stream()).toList();
  }

  private Violations violations(ObjectValue config, ObjectValue options, String graph) {
    var violations = new Violations();
    if (config.has(MODELS)) {
      if (config.has("model")) {
        violations.error(
            "/model", Codes.NOT_APPLICABLE, "models names them all; remove model or models");
      }
      var names = names(config);
      for (int i = 0; i < names.size(); i++) {
        check(names.get(i), Pointer.child("/" + MODELS, i), graph, violations);
      }
    } else {
      check(config.textOrEmpty("model"), "/model", graph, violations);
    }
    ModelOptions.problem(options)
        .ifPresent(it -> violations.error("/options", "bad_model_options", it));
    return violations;
  }

  private void check(String model, String pointer, String graph, Violations violations) {
    var found = model.isEmpty() ? models.standard() : models.find(model);
    if (!models.names().isEmpty() && found.isEmpty()) {
      violations.error(
          pointer,
          "unknown_model",
          model.isEmpty()
              ? "name a model: this server has no default among %s".formatted(models.names())
              : "this server has no model '%s'; it has %s".formatted(model, models.names()));
    }
    found
        .flatMap(it -> permits.refusal(it, graph))
        .ifPresent(it -> violations.error(pointer, ModelPermits.NOT_ALLOWED, it));
  }
}
