package dev.superstep.node.llm;

import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRequest;
import dev.superstep.node.llm.AnswerSchema.ReadAnswer;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Optional;

/// An answer of a model that can be used.
///
/// @param validated the structured answer, if one was asked for and the model asks for no tools
/// @param usage of all calls it took
/// @param calls 1, or 2 with a repair
/// @param answeredBy which model of a list
record UsableAnswer(
    ModelAnswer answer, Optional<Value> validated, Usage usage, int calls, AnsweredBy answeredBy) {

  /// Calls a model.
  interface ModelCaller {
    ModelAnswer ask(ModelRequest request) throws ModelException, InterruptedException;

    /// Which model the last answer is of.
    AnsweredBy answeredBy();
  }

  /// Calls the only model there is.
  @FunctionalInterface
  interface OneModel {
    ModelAnswer ask(ModelRequest request) throws ModelException, InterruptedException;

    /// @param name of the model
    default ModelCaller as(String name) {
      return new ModelCaller() {
        @Override
        public ModelAnswer ask(ModelRequest request) throws ModelException, InterruptedException {
          return OneModel.this.ask(request);
        }

        @Override
        public AnsweredBy answeredBy() {
          return AnsweredBy.only(name);
        }
      };
    }
  }

  /// Calls the model, and once more if a structured answer is invalid.
  ///
  /// @throws TaskFailedException with `content_filter`, `model_refused` or `invalid_output`
  static UsableAnswer by(ModelCaller model, ModelRequest request, Optional<AnswerSchema> schema)
      throws ModelException, InterruptedException {
    var answer = usable(model.ask(request));
    if (schema.isEmpty() || !answer.toolCalls().isEmpty()) {
      return new UsableAnswer(answer, Optional.empty(), answer.usage(), 1, model.answeredBy());
    }
    requireNoRefusal(answer);
    return switch (schema.get().read(answer.text())) {
      case ReadAnswer.Valid(var value) ->
          new UsableAnswer(answer, Optional.of(value), answer.usage(), 1, model.answeredBy());
      case ReadAnswer.Invalid(var problems) ->
          repaired(model, repair(request, answer, problems), schema.get(), answer.usage());
    };
  }

  private static UsableAnswer repaired(
      ModelCaller model, ModelRequest request, AnswerSchema schema, Usage before)
      throws ModelException, InterruptedException {
    var answer = usable(model.ask(request));
    requireNoRefusal(answer);
    var usage = before.plus(answer.usage());
    return switch (schema.read(answer.text())) {
      case ReadAnswer.Valid(var value) ->
          new UsableAnswer(answer, Optional.of(value), usage, 2, model.answeredBy());
      case ReadAnswer.Invalid(var problems) ->
          throw new TaskFailedException(
              TaskError.permanent(
                      "invalid_output",
                      "the model's answer does not satisfy output_schema, also when asked again: "
                          + problems)
                  .with("finish_reason", Value.of(answer.finishReason()))
                  .with("usage", AnswerMapping.usage(usage)));
    };
  }

  private static ModelRequest repair(ModelRequest request, ModelAnswer answer, String problems) {
    var messages = new ArrayList<ObjectValue>(request.messages());
    messages.add(PromptBuilder.message("assistant", answer.text()));
    messages.add(
        PromptBuilder.message(
            "user",
            "That answer cannot be used: %s. Answer again with nothing but JSON that satisfies the schema."
                .formatted(problems)));
    return request.with(messages);
  }

  private static ModelAnswer usable(ModelAnswer answer) {
    if (answer.finishReason().equals("content_filter")) {
      throw TaskFailedException.permanent(
          "content_filter", "the provider filtered the model's answer");
    }
    return answer;
  }

  private static void requireNoRefusal(ModelAnswer answer) {
    if (!answer.refusal().isEmpty()) {
      throw TaskFailedException.permanent(
          "model_refused", "the model refused: " + answer.refusal());
    }
  }
}
