package dev.superstep.model.stub;

import java.util.ArrayList;
import java.util.List;

/// One answer in OpenAI's words: a chat completion, or its chunks.
///
/// @param message members of the message, as JSON text without braces
record Completion(String model, String message, String reason, List<String> deltas) {
  private static final int PIECE_CHARS = 7;

  static Completion of(String model, Reply reply) {
    return switch (reply) {
      case Reply.Text(var text) -> text(model, text, "stop");
      case Reply.Broken(var text) -> text(model, text, "stop");
      case Reply.Cut(var text, var reason) -> text(model, text, reason);
      case Reply.Refusal(var text) ->
          new Completion(
              model,
              "\"content\":null,\"refusal\":" + MiniJson.quote(text),
              "stop",
              pieces(text).stream().map(it -> "\"refusal\":" + MiniJson.quote(it)).toList());
      case Reply.Calls(var calls) -> calls(model, calls);
      case Reply.Status _, Reply.Garbage _, Reply.Late _ ->
          throw new IllegalArgumentException("no completion");
    };
  }

  private static List<String> pieces(String text) {
    var pieces = new ArrayList<String>();
    for (int from = 0; from < text.length(); from += PIECE_CHARS) {
      pieces.add(text.substring(from, Math.min(text.length(), from + PIECE_CHARS)));
    }
    return pieces;
  }

  private static Completion text(String model, String text, String reason) {
    var deltas = pieces(text).stream().map(it -> "\"content\":" + MiniJson.quote(it)).toList();
    return new Completion(
        model, "\"content\":%s,\"refusal\":null".formatted(MiniJson.quote(text)), reason, deltas);
  }

  private static Completion calls(String model, List<Reply.Call> calls) {
    var whole = new ArrayList<String>();
    var deltas = new ArrayList<String>();
    for (int i = 0; i < calls.size(); i++) {
      var call = calls.get(i);
      var id = MiniJson.quote(call.id());
      var name = MiniJson.quote(call.name());
      whole.add(
          "{\"id\":%s,\"type\":\"function\",\"function\":{\"name\":%s,\"arguments\":%s}}"
              .formatted(id, name, MiniJson.quote(call.arguments())));
      deltas.add(
          delta(
              i,
              "\"id\":%s,\"type\":\"function\",\"function\":{\"name\":%s,\"arguments\":\"\"}"
                  .formatted(id, name)));
      int half = call.arguments().length() / 2;
      for (var piece :
          List.of(call.arguments().substring(0, half), call.arguments().substring(half))) {
        deltas.add(delta(i, "\"function\":{\"arguments\":%s}".formatted(MiniJson.quote(piece))));
      }
    }
    return new Completion(
        model,
        "\"content\":null,\"refusal\":null,\"tool_calls\":[%s]".formatted(String.join(",", whole)),
        "tool_calls",
        deltas);
  }

  private static String delta(int index, String rest) {
    return "\"tool_calls\":[{\"index\":%d,%s}]".formatted(index, rest);
  }

  String whole(Asked asked) {
    return "{%s,\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",%s},\"logprobs\":null,\"finish_reason\":\"%s\"}],%s}"
        .formatted(head(asked), message, reason, usage());
  }

  /// The data of each event, `[DONE]` included.
  List<String> chunks(Asked asked) {
    var chunks = new ArrayList<String>();
    chunks.add(chunk(asked, "\"role\":\"assistant\",\"content\":\"\"", "null"));
    deltas.forEach(it -> chunks.add(chunk(asked, it, "null")));
    chunks.add(chunk(asked, "", "\"" + reason + "\""));
    if (asked.text().contains("\"include_usage\":true")) {
      chunks.add(
          "{%s,\"object\":\"chat.completion.chunk\",\"choices\":[],%s}"
              .formatted(head(asked), usage()));
    }
    chunks.add("[DONE]");
    return chunks;
  }

  private String chunk(Asked asked, String delta, String finish) {
    return "{%s,\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{%s},\"logprobs\":null,\"finish_reason\":%s}],\"usage\":null}"
        .formatted(head(asked), delta, finish);
  }

  private String head(Asked asked) {
    return "\"id\":\"chatcmpl-%d\",\"created\":1767225600,\"model\":%s,\"system_fingerprint\":\"fp_stub\""
        .formatted(asked.number(), MiniJson.quote(model));
  }

  private static String usage() {
    return "\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":7,\"total_tokens\":18}";
  }
}
