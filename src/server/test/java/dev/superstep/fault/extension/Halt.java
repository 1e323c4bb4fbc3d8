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

/// A node that takes its process with it. With a `url` among its arguments it calls that first, and
/// goes on if the answer is 204.
public final class Halt implements NodeFunction {
  private static final int AS_IF_KILLED = 137;

  @Override
  public FunctionResult run(GraphState state, @Nullable ObjectValue input, FunctionCall call)
      throws IOException, InterruptedException {
    if (call.arguments().get("url") instanceof Value.Text(var url) && isToGoOn(url)) {
      return FunctionResult.done();
    }
    Runtime.getRuntime().halt(AS_IF_KILLED);
    return FunctionResult.done();
  }

  private static boolean isToGoOn(String url) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(URI.create(url)).build();
      return http.send(request, BodyHandlers.discarding()).statusCode() == 204;
    }
  }
}
