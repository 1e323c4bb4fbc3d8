package dev.superstep.model.stub;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// One answer in OpenAI's words: a chat completion, or its chunks. Where the stub answers a
/// thousand agents its time counts in what is measured of them: texts are put together plainly, and
/// pieces are made for who asks for them.
///
/// @param message members of the message, as JSON text without braces
/// @param deltas the same in pieces
record Completion(String model, String message, String reason, Supplier<List<String>> deltas) {
  private static final int PIECE_CHARS = 7;

  static Completion of(String model, Reply reply) {
    return switch (reply) {
      case Reply.Text(var text) -> text(model, text, "stop");
      case Reply.Held(var text, _) -> text(model, text, "stop");
      case Reply.Broken(var text) -> text(model, text, "stop");
      case Reply.Cut(var text, var reason) -> text(model, text, reason);
      case Reply.Refusal(var text) ->
          new Completion(
              model,
              "\"content\":null,\"refusal\":" + MiniJson.quote(text),
              "stop",
              () -> pieces("refusal", text));
      case Reply.Calls(var calls) -> calls(model, calls);
      case Reply.Status _, Reply.Garbage _, Reply.Late _ ->
          throw new IllegalArgumentException("no completion");
    };
  }

  private static Completion text(String model, String text, String reason) {
    return new Completion(
        model,
        "\"content\":" + MiniJson.quote(text) + ",\"refusal\":null",
        reason,
        () -> pieces("content", text));
  }

  private static List<String> pieces(String member, String text) {
    var pieces = new ArrayList<String>();
    for (int from = 0; from < text.length(); from += PIECE_CHARS) {
      var piece = text.substring(from, Math.min(text.length(), from + PIECE_CHARS));
      pieces.add("\"" + member + "\":" + MiniJson.quote(piece));
    }
    return pieces;
  }

  private static Completion calls(String model, List<Reply.Call> calls) {
    var whole = calls.stream().map(it -> "{" + call(it, it.arguments()) + "}").toList();
    return new Completion(
        model,
        "\"content\":null,\"refusal\":null,\"tool_calls\":[" + String.join(",", whole) + "]",
        "tool_calls",
        () -> deltas(calls));
  }

  private static String call(Reply.Call call, String arguments) {
    return "\"id\":"
        + MiniJson.quote(call.id())
        + ",\"type\":\"function\",\"function\":{\"name\":"
        + MiniJson.quote(call.name())
        + ",\"arguments\":"
        + MiniJson.quote(arguments)
        + "}";
  }

  private static List<String> deltas(List<Reply.Call> calls) {
    var deltas = new ArrayList<String>();
    for (int i = 0; i < calls.size(); i++) {
      var arguments = calls.get(i).arguments();
      int half = arguments.length() / 2;
      deltas.add(delta(i, call(calls.get(i), "")));
      for (var piece : List.of(arguments.substring(0, half), arguments.substring(half))) {
        deltas.add(delta(i, "\"function\":{\"arguments\":" + MiniJson.quote(piece) + "}"));
      }
    }
    return deltas;
  }

  private static String delta(int index, String rest) {
    return "\"tool_calls\":[{\"index\":" + index + "," + rest + "}]";
  }

  String whole(Asked asked) {
    return "{"
        + head(asked)
        + ",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
        + message
        + "},\"logprobs\":null,\"finish_reason\":\""
        + reason
        + "\"}],"
        + usage()
        + "}";
  }

  /// The data of each event, `[DONE]` included.
  List<String> chunks(Asked asked) {
    var chunks = new ArrayList<String>();
    chunks.add(chunk(asked, "\"role\":\"assistant\",\"content\":\"\"", "null"));
    deltas.get().forEach(it -> chunks.add(chunk(asked, it, "null")));
    chunks.add(chunk(asked, "", "\"" + reason + "\""));
    if (asked.text().contains("\"include_usage\":true")) {
      chunks.add(
          "{"
              + head(asked)
              + ",\"object\":\"chat.completion.chunk\",\"choices\":[],"
              + usage()
              + "}");
    }
    chunks.add("[DONE]");
    return chunks;
  }

  private String chunk(Asked asked, String delta, String finish) {
    return "{"
        + head(asked)
        + ",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{"
        + delta
        + "},\"logprobs\":null,\"finish_reason\":"
        + finish
        + "}],\"usage\":null}";
  }

  private String head(Asked asked) {
    return "\"id\":\"chatcmpl-"
        + asked.number()
        + "\",\"created\":1767225600,\"model\":"
        + MiniJson.quote(model)
        + ",\"system_fingerprint\":\"fp_stub\"";
  }

  private static String usage() {
    return "\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":7,\"total_tokens\":18}";
  }
}
