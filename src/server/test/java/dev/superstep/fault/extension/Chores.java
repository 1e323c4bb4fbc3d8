package dev.superstep.fault.extension;

import dev.superstep.node.FunctionCall;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeFunction;
import dev.superstep.node.StepException;
import dev.superstep.node.Steps;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A function of many steps, each of which is a call of `url` that says which one it is:
/// `run/place/item`.
public final class Chores implements NodeFunction {
  /// Places of its steps.
  public static final int STEPS = 24;

  /// The place of the call that may be made once only.
  public static final int ONCE = 6;

  private static final int TOGETHER = 10;
  private static final int SLEEP = 20;
  private static final int ITEMS = 6;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @Override
  public FunctionResult run(GraphState state, @Nullable ObjectValue input, FunctionCall call)
      throws InterruptedException {
    var url = call.arguments().textOrEmpty("url") + call.run().id();
    var results = new ArrayList<String>();
    for (int i = 0; i < STEPS; i++) {
      results.addAll(step(call.steps(), i, url + "/" + i));
    }
    return FunctionResult.done().update("results", results);
  }

  private static List<String> step(Steps steps, int place, String url) throws InterruptedException {
    switch (place) {
      case ONCE -> {
        try {
          return List.of(steps.once("once", String.class, () -> get(url + "/0")));
        } catch (StepException e) {
          return List.of(e.code());
        }
      }
      case TOGETHER -> {
        var items = IntStream.range(0, ITEMS).boxed().toList();
        return steps.all("together", items, String.class, it -> get(url + "/" + it));
      }
      case SLEEP -> {
        steps.sleep("sleep", Duration.ofMillis(2_500));
        return List.of();
      }
      default -> {
        return List.of(steps.run("step", String.class, () -> get(url + "/0")));
      }
    }
  }

  private static String get(String url) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(url)).build();
    var answer = HTTP.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("status " + answer.statusCode());
    }
    return answer.body();
  }
}
