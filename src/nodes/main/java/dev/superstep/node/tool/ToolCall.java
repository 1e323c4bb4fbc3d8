package dev.superstep.node.tool;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;

/// A tool call of an assistant message.
///
/// @param position in the message, from 0
/// @param ordinal among the calls of the same tool in the message, from 1
/// @param arguments an object, unless the model made a mistake
/// @param message names the message within its run: several nodes may run calls of one
public record ToolCall(
    int position, int ordinal, String id, String name, Value arguments, String message) {
  private static final int HASH_BYTES = 12;

  /// The calls of the last assistant message that have no result yet, in order.
  public static List<ToolCall> open(ListValue messages) {
    var answered = new HashSet<Value>();
    for (int i = messages.size() - 1; i >= 0; i--) {
      if (messages.get(i) instanceof ObjectValue message) {
        if (Value.of("tool").equals(message.get("role"))) {
          answered.add(message.getOr("tool_call_id", Value.NULL));
        } else if (Value.of("assistant").equals(message.get("role"))) {
          return calls(message, i).stream()
              .filter(it -> !answered.contains(Value.of(it.id())))
              .toList();
        }
      }
    }
    return List.of();
  }

  /// @param position of the message, which names one that has no id
  private static List<ToolCall> calls(ObjectValue message, int position) {
    var given = message.textOrEmpty("id");
    var name = given.isEmpty() ? "#" + position : given;
    var toolCalls = new ArrayList<ToolCall>();
    var ordinals = new HashMap<String, Integer>();
    var list = message.listOrEmpty("tool_calls");
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof ObjectValue call) {
        var tool = call.textOrEmpty("name");
        toolCalls.add(
            new ToolCall(
                i,
                ordinals.merge(tool, 1, Integer::sum),
                call.textOrEmpty("id"),
                tool,
                call.getOr("arguments", ObjectValue.empty()),
                name));
      }
    }
    return toolCalls;
  }

  /// This call with what a person wrote instead.
  public ToolCall edited(ObjectValue instead) {
    return new ToolCall(position, ordinal, id, name, instead, message);
  }

  /// Names the effect: a call with other arguments is another one, also if its id is the same.
  public String effect() {
    return "%d:%s:%s".formatted(position, id, digest());
  }

  /// Names what is called, whoever calls it: the tool and its arguments.
  public String digest() {
    return hash(name + "\0" + Canonical.text(arguments));
  }

  /// As expressions and people see it.
  public ObjectValue json() {
    return ObjectValue.of("id", id).plus("name", name).plus("arguments", arguments);
  }

  private static String hash(String text) {
    try {
      var digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
