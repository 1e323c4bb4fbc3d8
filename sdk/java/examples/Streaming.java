import dev.superstep.client.Definition;
import dev.superstep.client.StreamOptions;
import dev.superstep.client.Superstep;
import dev.superstep.client.model.StartRun;
import java.util.Map;

/** Shows a run while it goes on, and reads it once more from the middle. */
public class Streaming {
  private static final String GRAPH =
      """
      name: sdk-streaming
      nodes:
        - { id: greet, type: expression, config: { update: { greeting: "Hello {{ state.name }}!" } }, next: [count] }
        - { id: count, type: expression, config: { update: { letters: "{{ size(state.greeting) }}" } } }
      """;

  public static void main(String[] arguments) {
    var client = Superstep.connect();
    client.graphs().create(Definition.yaml(GRAPH));

    var runId = "";
    var body = StartRun.of("sdk-streaming", Map.of("name", "Ada"));
    try (var events = client.runs().startStream(body, StreamOptions.of().with("changes"))) {
      for (var event : events) {
        runId = event.runId();
        if (event.type().equals("superstep.committed")) {
          System.out.println("superstep " + event.superstep());
        }
      }
    }
    System.out.println("output " + client.runs().get(runId).output());

    // Events are stored: whoever comes later, or back, says what was the last one seen.
    try (var events = client.runs().stream(runId, StreamOptions.of().behind(2))) {
      for (var event : events) {
        System.out.println(event.seq() + " " + event.type());
      }
    }
  }
}
