package dev.superstep.model;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A request to a chat model.
///
/// @param messages as in definitions.md, *Messages*; system messages among them
/// @param tools that the model may ask for
/// @param outputSchema JSON Schema that the answer's text has to satisfy as JSON
/// @param options over those of the model's configuration, such as `temperature`
/// @param lasting how many of the messages, from the first, later requests probably begin with;
///   empty: nothing of it is to be kept in a cache
/// @param timeout under that of the model; empty: that
public record ModelRequest(
    List<ObjectValue> messages,
    List<ToolOffer> tools,
    Optional<ObjectValue> outputSchema,
    ObjectValue options,
    Delivery delivery,
    Optional<String> traceparent,
    OptionalInt lasting,
    Optional<Duration> timeout) {
  private static final long FRAME_TOKENS = 1_024;
  private static final long MESSAGE_TOKENS = 16;
  private static final long IMAGE_TOKENS = 65_536;

  /// Providers write declarations anew, in words of their own.
  private static final long DECLARED_FACTOR = 2;

  public ModelRequest {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
  }

  /// This request with other messages.
  public ModelRequest with(List<ObjectValue> changed) {
    return new ModelRequest(
        changed, tools, outputSchema, options, delivery, traceparent, lasting, timeout);
  }

  /// This request with another delivery.
  public ModelRequest with(Delivery other) {
    return new ModelRequest(
        messages, tools, outputSchema, options, other, traceparent, lasting, timeout);
  }

  /// This request as part of a trace.
  public ModelRequest within(Optional<String> trace) {
    return new ModelRequest(
        messages, tools, outputSchema, options, delivery, trace, lasting, timeout);
  }

  /// This request as one that is given up sooner than its model is.
  public ModelRequest within(Duration time) {
    return new ModelRequest(
        messages, tools, outputSchema, options, delivery, traceparent, lasting, Optional.of(time));
  }

  /// This request as one whose beginning is sent again.
  ///
  /// @param count of its messages; empty: nothing is to be kept in a cache
  public ModelRequest lasting(OptionalInt count) {
    return new ModelRequest(
        messages, tools, outputSchema, options, delivery, traceparent, count, timeout);
  }

  /// One that is part of no trace and of no conversation.
  public ModelRequest(
      List<ObjectValue> messages,
      List<ToolOffer> tools,
      Optional<ObjectValue> outputSchema,
      ObjectValue options,
      Delivery delivery) {
    this(
        messages,
        tools,
        outputSchema,
        options,
        delivery,
        Optional.empty(),
        OptionalInt.of(0),
        Optional.empty());
  }

  /// No tokenizer makes more tokens of the input: a token is at least a byte of it. What providers
  /// put around messages, tools and schemas is allowed for, and an image counts for what the
  /// dearest providers take for one.
  public long inputTokensMax() {
    long tokens = FRAME_TOKENS;
    for (var message : messages) {
      tokens += MESSAGE_TOKENS + Canonical.size(message) + imageTokens(message);
    }
    for (var tool : tools) {
      tokens +=
          DECLARED_FACTOR
              * (Canonical.size(Value.of(tool.name()))
                  + Canonical.size(Value.of(tool.description()))
                  + Canonical.size(tool.inputSchema()));
    }
    return tokens + DECLARED_FACTOR * outputSchema.map(Canonical::size).orElse(0L);
  }

  /// The same of a request that is known as text only, tools and schemas included.
  ///
  /// @param images in it
  /// @param imageBytes of the text that are theirs
  public static long inputTokensMax(String text, int images, long imageBytes) {
    long bytes = text.getBytes(StandardCharsets.UTF_8).length - imageBytes;
    return FRAME_TOKENS + DECLARED_FACTOR * Math.max(0, bytes) + IMAGE_TOKENS * images;
  }

  /// Beside the bytes of their URLs, less those that are the image itself.
  private static long imageTokens(ObjectValue message) {
    long tokens = 0;
    for (var part : message.objects("content")) {
      if (part.get("image_url") instanceof ObjectValue image) {
        var url = image.textOrEmpty("url");
        tokens += IMAGE_TOKENS - (url.startsWith("data:") ? url.length() : 0);
      }
    }
    return tokens;
  }

  /// A tool declared to the model.
  ///
  /// @param inputSchema JSON Schema of its arguments
  public record ToolOffer(String name, String description, ObjectValue inputSchema) {}

  /// How the answer comes.
  public sealed interface Delivery {

    record Whole() implements Delivery {}

    /// @param readers makes, for each call, what takes each piece of its text while it arrives, one
    ///   after the other on a thread of the call's, none after the call; no piece is empty
    record Streamed(Supplier<Consumer<String>> readers) implements Delivery {}
  }
}
