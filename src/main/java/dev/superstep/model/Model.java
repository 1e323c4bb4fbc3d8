package dev.superstep.model;

import dev.superstep.engine.pool.WorkPermits;
import dev.superstep.model.http.CallHandle;
import dev.superstep.model.http.CallRegistry;
import dev.superstep.model.http.OllamaHttp;
import dev.superstep.state.value.ObjectValue;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.MessageAggregator;
import org.springframework.ai.chat.prompt.Prompt;

/// A named chat model. Free to share between threads.
public final class Model {
  private final String name;
  private final ModelSettings.Entry settings;
  private final ModelFailures failures;
  private final Function<CallRegistry, ChatModel> maker;
  private final ObjectValue standard;
  private final CallRegistry callRegistry;
  private @Nullable ChatModel client;

  Model(
      String name,
      ModelSettings.Entry settings,
      ModelFailures failures,
      Function<CallRegistry, ChatModel> maker) {
    this.name = name;
    this.settings = settings;
    this.failures = failures;
    this.maker = maker;
    this.standard = ModelOptions.read(settings.options());
    this.callRegistry =
        new CallRegistry(
            settings.provider() == Provider.OPENAI
                ? Optional.of(settings.timeout())
                : Optional.empty());
  }

  public String name() {
    return name;
  }

  /// As the provider names it.
  public String providerModel() {
    return settings.model();
  }

  /// `openai`, `anthropic`, `ollama` or `stub`.
  public String provider() {
    return settings.provider().name().toLowerCase(Locale.ROOT);
  }

  /// Options of each call unless it overrides them.
  public ObjectValue standardOptions() {
    return standard;
  }

  public String description() {
    return settings.description();
  }

  /// One request to the provider and its answer; nothing is repeated and no tool is run.
  ///
  /// @throws ModelException if there is no usable answer
  /// @throws InterruptedException if the caller was interrupted; the connection is closed
  public ModelAnswer call(ModelRequest request) throws ModelException, InterruptedException {
    try (var callHandle = callRegistry.open()) {
      return call(request, callHandle);
    }
  }

  private ModelAnswer call(ModelRequest request, CallHandle callHandle)
      throws ModelException, InterruptedException {
    var options = new ModelOptions(standard.plusAll(request.options()));
    options.require();
    var prompt =
        new Prompt(
            ChatMessages.of(request.messages()),
            new ChatSettings(settings, request, options, callHandle).build());
    var refusal = new StringBuilder();
    try {
      var response =
          OllamaHttp.with(callHandle, request.traceparent())
              .call(() -> Optional.ofNullable(answer(request, prompt, refusal, callHandle)));
      return ChatAnswers.of(response.orElse(null), settings.model(), refusal);
    } catch (RuntimeException e) {
      throw callHandle.isExpired() ? failures.late(e) : failures.of(e);
    }
  }

  /// @param refusal takes the refusal of a streamed answer's pieces: the assembled answer has only
  ///   that of the last piece
  private @Nullable ChatResponse answer(
      ModelRequest request, Prompt prompt, StringBuilder refusal, CallHandle callHandle) {
    return switch (request.delivery()) {
      case ModelRequest.Delivery.Whole _ -> client().call(prompt);
      case ModelRequest.Delivery.Streamed(var readers) -> {
        // Its pieces come while it lasts: it takes part in nothing else.
        try (var _ = WorkPermits.releaseDuringIo()) {
          yield streamed(prompt, readers.get(), refusal, callHandle);
        }
      }
    };
  }

  private @Nullable ChatResponse streamed(
      Prompt prompt, Consumer<String> reader, StringBuilder refusal, CallHandle callHandle) {
    var whole = new AtomicReference<@Nullable ChatResponse>();
    // Aborted before the clients are cancelled: some wait for the next piece then. Nor do all of
    // them stop reading when they cannot make sense of a piece.
    var pieces =
        new MessageAggregator()
            .aggregate(client().stream(prompt), whole::set)
            .doOnComplete(callHandle::close)
            .doOnError(_ -> callHandle.abort())
            .doOnCancel(callHandle::abort);
    try (var arriving = pieces.toStream()) {
      arriving.forEach(it -> {
        text(it, reader);
        refusal.append(ChatAnswers.refusal(it));
      });
    }
    return whole.get();
  }

  private static void text(ChatResponse piece, Consumer<String> reader) {
    var result = piece.getResult();
    var text = result == null ? null : result.getOutput().getText();
    if (text != null && !text.isEmpty()) {
      reader.accept(text);
    }
  }

  /// Made at the first call: a server whose graphs use no model loads none of its classes.
  private synchronized ChatModel client() {
    var made = client;
    if (made == null) {
      made = maker.apply(callRegistry);
      client = made;
    }
    return made;
  }
}
