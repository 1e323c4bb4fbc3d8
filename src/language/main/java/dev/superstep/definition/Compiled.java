package dev.superstep.definition;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.Program;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import java.util.List;

/// A graph version ready to run.
///
/// @param inputCheck of a run's `input`, from `input.schema`
/// @param outputChannels the channels a result is made of; empty: the whole state
/// @param context what a run's prompt context starts from (P2); `graph().settings().keepsContext()`
///   is true if there is one
/// @param definition in long form
public record Compiled(
    String name,
    int version,
    Program program,
    ValueCheck inputCheck,
    List<String> outputChannels,
    PromptContext context,
    GraphParams params,
    ObjectValue definition) {
  public Compiled {
    outputChannels = List.copyOf(outputChannels);
  }

  /// What a run that ended with this state results in.
  ///
  /// @param channels as [#outputChannels]
  public static ObjectValue output(List<String> channels, ObjectValue state) {
    if (channels.isEmpty()) {
      return state;
    }
    var output = ObjectValue.builder();
    for (var channel : channels) {
      var value = state.get(channel);
      if (value != null) {
        output.put(channel, value);
      }
    }
    return output.build();
  }
}
