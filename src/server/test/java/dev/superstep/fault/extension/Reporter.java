package dev.superstep.fault.extension;

import dev.superstep.node.FunctionCall;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.jspecify.annotations.Nullable;

/// A node that asks its `url` for words and reports each at once, until the answer is 204.
public final class Reporter implements NodeFunction {
  private static final int NO_MORE = 204;

  @Override
  public FunctionResult run(GraphState state, @Nullable ObjectValue input, FunctionCall call)
      throws IOException, InterruptedException {
    var url = call.arguments().get("url") instanceof Value.Text(var text) ? text : "";
    var request = HttpRequest.newBuilder(URI.create(url)).build();
    try (var http = HttpClient.newHttpClient()) {
      for (var answer = http.send(request, BodyHandlers.ofString());
          answer.statusCode() != NO_MORE;
          answer = http.send(request, BodyHandlers.ofString())) {
        call.emit("word", answer.body());
      }
    }
    return FunctionResult.done().event("word", "end");
  }
}
