package dev.superstep.model;

import dev.superstep.engine.run.CachedInput;
import dev.superstep.model.ModelAnswer.ToolCall;
import dev.superstep.model.ModelAnswer.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// An answer that is put together, at once or piece by piece.
final class AnswerDraft {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerDraft.class);

  /// No answer can have taken more: a larger count would exhaust a budget at once.
  private static final int TOKENS_MAX = 10_000_000;

  private final Consumer<String> reader;
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder refusal = new StringBuilder();
  private final TreeMap<Integer, CallDraft> calls = new TreeMap<>();
  private String model;
  private String reason = "";
  private long input;
  private @Nullable Long uncached;
  private long output;
  private long cached;
  private long written;

  /// @param model the name of the answer unless it brings its own
  /// @param reader receives each piece of its text
  AnswerDraft(String model, Consumer<String> reader) {
    this.model = model;
    this.reader = reader;
  }

  /// A tool call that is put together.
  static final class CallDraft {
    private final StringBuilder arguments = new StringBuilder();
    private String id = "";
    private String name = "";

    /// @param id "": not in this piece
    /// @param name "": not in this piece
    void add(String id, String name, String arguments) {
      this.id = id.isEmpty() ? this.id : id;
      this.name = name.isEmpty() ? this.name : name;
      this.arguments.append(arguments);
    }

    private ToolCall finish() {
      return new ToolCall(id, name, arguments.isEmpty() ? "{}" : arguments.toString());
    }
  }

  void addText(String piece) {
    if (!piece.isEmpty()) {
      text.append(piece);
      reader.accept(piece);
    }
  }

  void addRefusal(String piece) {
    refusal.append(piece);
  }

  /// @param index of the call in the answer
  CallDraft call(int index) {
    return calls.computeIfAbsent(index, _ -> new CallDraft());
  }

  /// Whether a piece of that call has come.
  boolean hasCall(int index) {
    return calls.containsKey(index);
  }

  int callCount() {
    return calls.size();
  }

  /// @param name "": not in this piece
  void named(String name) {
    model = name.isEmpty() ? model : name;
  }

  /// @param said why the answer ends, in the provider's words; "": not in this piece
  void endsFor(String said) {
    reason = said.isEmpty() ? reason : said;
  }

  void takesInput(long tokens) {
    input = tokens;
  }

  /// Of a provider that counts beside the input what its cache has had of it.
  void takesUncached(long tokens) {
    uncached = tokens;
  }

  void takesOutput(long tokens) {
    output = tokens;
  }

  /// @param tokens those of the input that the provider has read from its cache
  void takesCached(long tokens) {
    cached = tokens;
  }

  /// @param tokens those of the input that the provider has written into its cache
  void takesWritten(long tokens) {
    written = tokens;
  }

  /// @throws BrokenException if it is not the whole of an answer
  ModelAnswer finish() {
    if (reason.isEmpty()) {
      throw new BrokenException("the model's answer broke off");
    }
    List<ToolCall> asked = new ArrayList<>();
    calls.values().forEach(it -> asked.add(it.finish()));
    return new ModelAnswer(
        text.toString(), asked, reason(asked), model, refusal.toString(), usage());
  }

  private Usage usage() {
    var beside = uncached;
    long counted = count(beside == null ? input : beside + cached + written);
    long reads = Math.clamp(cached, 0, counted);
    long writes = Math.clamp(written, 0, counted - reads);
    return new Usage(counted, count(output), new CachedInput(reads, writes));
  }

  private String reason(List<ToolCall> asked) {
    return switch (reason.toLowerCase(Locale.ROOT)) {
      case "stop", "end_turn", "stop_sequence" -> asked.isEmpty() ? "stop" : "tool_calls";
      case "tool_calls", "tool_use", "function_call" -> "tool_calls";
      case "length", "max_tokens" -> "length";
      case "content_filter", "refusal" -> "content_filter";
      case String other -> other;
    };
  }

  private long count(long tokens) {
    long counted = Math.clamp(tokens, 0, TOKENS_MAX);
    if (counted != tokens) {
      LOG.warn(
          "model '{}' reported {} tokens for an answer; {} are counted", model, tokens, counted);
    }
    return counted;
  }

  /// There is no answer, or not the whole of one. Another attempt may help.
  static final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String code;

    BrokenException(String message) {
      this("model_bad_answer", message);
    }

    private BrokenException(String code, String message) {
      super(message);
      this.code = code;
    }

    /// The provider says, with status 200, that it has failed.
    ///
    /// @param error as it describes it
    static BrokenException of(JsonNode error) {
      var words = AnswerJson.text(error, "message");
      boolean busy = error.toString().contains("rate_limit");
      return new BrokenException(
          busy ? "model_rate_limited" : "model_unavailable",
          "the provider gave up: "
              + (words.isEmpty() ? error.isString() ? error.stringValue() : error : words));
    }

    String code() {
      return code;
    }
  }
}
