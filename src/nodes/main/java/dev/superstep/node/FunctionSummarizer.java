package dev.superstep.node;

import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.definition.type.SummarizerType;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.Violation;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Makes a summary with a [SummaryFunction].
final class FunctionSummarizer implements SummarizerType {
  private static final String SCHEMA =
      """
      {"type": "object",
       "properties": {"function": {"type": "string"}, "arguments": {"type": "object"}},
       "required": ["function"], "additionalProperties": false}
      """;
  private final Map<String, SummaryFunction> functions;

  /// @param functions by bean name
  FunctionSummarizer(Map<String, SummaryFunction> functions) {
    this.functions = new TreeMap<>(functions);
  }

  @Override
  public String name() {
    return "function";
  }

  @Override
  public ObjectValue configSchema() {
    return (ObjectValue) Json.read(SCHEMA);
  }

  @Override
  public Summarizer create(ObjectValue config, String graph) {
    var name = config.textOrEmpty("function");
    var function = functions.get(name);
    if (function == null) {
      throw new InvalidNodeException(
          List.of(
              Violation.of(
                  "/function",
                  "unknown_function",
                  "this server has no summary function '%s'; it has %s"
                      .formatted(name, functions.keySet()))));
    }
    var arguments = config.objectOrEmpty("arguments");
    return (messages, call) ->
        ask(
            function,
            messages,
            new CallView(
                call,
                arguments,
                new EmittedEvents(call),
                new FunctionSteps(() -> StepJournal.NONE, call)));
  }

  private static Optional<String> ask(SummaryFunction function, ListValue messages, CallView call)
      throws Exception {
    try (var _ = WorkPermits.releaseDuringIo()) {
      return Optional.of(summary(function.summarize(messages, call)));
    } catch (NodeException e) {
      throw new TaskFailedException(e.error());
    }
  }

  /// Users' code is not checked for null: it may return it.
  private static String summary(@Nullable String text) {
    if (text == null) {
      throw new TaskFailedException(
          TaskError.permanent("bad_summary", "the summary function returned null"));
    }
    return text;
  }
}
