package dev.superstep.model;

import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A request to a chat model.
///
/// @param messages as in definitions.md, *Messages*; system messages among them
/// @param tools that the model may ask for
/// @param outputSchema JSON Schema that the answer's text has to satisfy as JSON
/// @param options over those of the model's configuration, such as `temperature`
public record ModelRequest(
    List<ObjectValue> messages,
    List<ToolOffer> tools,
    Optional<ObjectValue> outputSchema,
    ObjectValue options,
    Delivery delivery,
    Optional<String> traceparent) {
  public ModelRequest {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
  }

  /// This request with other messages.
  public ModelRequest with(List<ObjectValue> changed) {
    return new ModelRequest(changed, tools, outputSchema, options, delivery, traceparent);
  }

  /// This request as part of a trace.
  public ModelRequest within(Optional<String> trace) {
    return new ModelRequest(messages, tools, outputSchema, options, delivery, trace);
  }

  /// One that is part of no trace.
  public ModelRequest(
      List<ObjectValue> messages,
      List<ToolOffer> tools,
      Optional<ObjectValue> outputSchema,
      ObjectValue options,
      Delivery delivery) {
    this(messages, tools, outputSchema, options, delivery, Optional.empty());
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
