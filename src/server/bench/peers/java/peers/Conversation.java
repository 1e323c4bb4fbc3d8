package peers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// W7 without an engine: a model that is sent all messages and the tool that it asks for.
final class Conversation {
  private static final JsonMapper JSON = new JsonMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Conversation() {}

  static List<Map<String, Object>> begin() {
    var messages = new ArrayList<Map<String, Object>>();
    messages.add(Map.of("role", "user", "content", "Read all documents."));
    return messages;
  }

  /// @return the model's message
  @SuppressWarnings("unchecked")
  static Map<String, Object> askModel(String server, List<Map<String, Object>> messages)
      throws IOException, InterruptedException {
    var body = JSON.writeValueAsString(Map.of("model", "stub", "messages", messages));
    var request =
        HttpRequest.newBuilder(URI.create(server + "/v1/chat/completions"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    var answer = JSON.readValue(send(request), Map.class);
    var choice = (Map<String, Object>) ((List<?>) answer.get("choices")).getFirst();
    return (Map<String, Object>) choice.get("message");
  }

  /// @return the message with the answer of the tool that a message of the model asks for
  @SuppressWarnings("unchecked")
  static Map<String, Object> callTool(String server, Map<String, Object> asking)
      throws IOException, InterruptedException {
    var call = (Map<String, Object>) ((List<?>) asking.get("tool_calls")).getFirst();
    var id = (String) call.get("id");
    var text = send(HttpRequest.newBuilder(URI.create(server + "/document/" + id)));
    return Map.of("role", "tool", "tool_call_id", id, "content", text);
  }

  static boolean asksForTool(Map<String, Object> message) {
    return message.get("tool_calls") instanceof List<?> calls && !calls.isEmpty();
  }

  private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
    var answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("status " + answer.statusCode());
    }
    return answer.body();
  }
}
