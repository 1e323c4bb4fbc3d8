package dev.superstep.langgraph;

import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// Calls that an assistant message asks for. Those whose arguments are no object, because a model
/// wrote them so, are `invalid_tool_calls` for LangChain.
final class WireToolCalls {
  private static final String ARGUMENTS = "arguments";

  private WireToolCalls() {}

  static ListValue valid(ListValue calls) {
    var written = ListValue.builder();
    calls
        .items(ObjectValue.class)
        .filter(it -> !isInvalid(it))
        .forEach(it ->
            written.add(
                it.minus(ARGUMENTS)
                    .plus("args", it.objectOrEmpty(ARGUMENTS))
                    .plus("type", "tool_call")));
    return written.build();
  }

  static ListValue invalid(ListValue calls, ObjectValue metadata) {
    var written = ListValue.builder();
    calls
        .items(ObjectValue.class)
        .filter(WireToolCalls::isInvalid)
        .forEach(it ->
            written.add(
                it.minus(ARGUMENTS)
                    .plus("args", it.getOr(ARGUMENTS, Value.NULL))
                    .plus("error", Value.NULL)
                    .plus("type", "invalid_tool_call")));
    metadata.listOrEmpty(WireMetadata.INVALID_CALLS).forEach(written::add);
    return written.build();
  }

  private static boolean isInvalid(ObjectValue call) {
    return call.has(ARGUMENTS) && !(call.get(ARGUMENTS) instanceof ObjectValue);
  }

  /// @param pointer of `tool_calls`
  static ListValue read(Value calls, String pointer) {
    if (!(calls instanceof ListValue list)) {
      throw ServiceException.at(pointer, ErrorCode.WRONG_TYPE, "must be a list of tool calls");
    }
    var read = ListValue.builder();
    for (int i = 0; i < list.size(); i++) {
      read.add(call(list.get(i), Pointer.child(pointer, i)));
    }
    return read.build();
  }

  private static ObjectValue call(Value value, String pointer) {
    if (!(value instanceof ObjectValue call)) {
      throw ServiceException.at(
          pointer, ErrorCode.WRONG_TYPE, "must be a tool call {id, name, args}");
    }
    var known =
        call.get("function") instanceof ObjectValue function ? openAi(call, function) : call;
    for (var member : new String[] {"id", "name"}) {
      if (!(known.get(member) instanceof Value.Text)) {
        throw ServiceException.at(
            Pointer.child(pointer, member),
            ErrorCode.INVALID_VALUE,
            "a tool call needs an id and a name, which are strings");
      }
    }
    var arguments = known.has("args") ? known.get("args") : known.get(ARGUMENTS);
    return known
        .minus("args")
        .minus("type")
        .plus(
            ARGUMENTS,
            arguments == null || arguments instanceof Value.Null ? ObjectValue.empty() : arguments);
  }

  /// As providers write it: the arguments are JSON in a text.
  private static ObjectValue openAi(ObjectValue call, ObjectValue function) {
    var arguments = function.getOr(ARGUMENTS, ObjectValue.empty());
    return call.minus("function")
        .plus("name", function.getOr("name", Value.NULL))
        .plus("args", arguments instanceof Value.Text(var text) ? parsed(text) : arguments);
  }

  private static Value parsed(String text) {
    try {
      return Json.read(text) instanceof ObjectValue object ? object : Value.of(text);
    } catch (JsonException _) {
      return Value.of(text);
    }
  }

  /// Invalid calls that can stand among the others.
  static boolean isWhole(Value invalid) {
    return invalid instanceof ObjectValue call
        && call.get("id") instanceof Value.Text
        && call.get("name") instanceof Value.Text
        && call.get("args") instanceof Value.Text
        && call.getOr("error", Value.NULL) instanceof Value.Null;
  }
}
