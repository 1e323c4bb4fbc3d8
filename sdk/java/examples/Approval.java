import dev.superstep.client.Definition;
import dev.superstep.client.Runs.Waiting;
import dev.superstep.client.Superstep;
import dev.superstep.client.model.StartRun;
import java.util.Map;

/** A draft waits for a person; here the program plays that person. */
public class Approval {
  private static final String GRAPH =
      """
      name: sdk-approval
      nodes:
        - id: draft
          type: expression
          config: { update: { draft: "A short text about {{ state.topic }}." } }
          next: [review]
        - id: review
          type: human
          config:
            payload: { question: "Publish this?", draft: "{{ state.draft }}" }
            answer_schema: { type: object, required: [approved], properties: { approved: { type: boolean } } }
          switch:
            - { when: state.review.approved, to: publish }
            - { else: __end__ }
        - id: publish
          type: expression
          config: { update: { published: "{{ state.draft }}" } }
      """;

  public static void main(String[] arguments) {
    var client = Superstep.connect();
    client.graphs().create(Definition.yaml(GRAPH));

    // As a server does it: the run stops at its question, and goes on whenever the answer comes.
    var asked = client.runs().run(StartRun.of("sdk-approval", Map.of("topic", "tea")));
    var question = (Map<?, ?>) asked.interrupts().get(0).payload();
    System.out.println(asked.status() + " " + question.get("question"));
    var published = client.runs().answer(asked.id(), Map.of("approved", true));
    System.out.println(published.status() + " " + ((Map<?, ?>) published.output()).get("published"));

    // As a script does it: the answer is computed as soon as there is a question.
    var declined =
        client
            .runs()
            .run(
                StartRun.of("sdk-approval", Map.of("topic", "coffee")),
                Waiting.forever()
                    .answering(it -> Map.of("approved", it.payload().toString().contains("tea"))));
    System.out.println(declined.status() + " " + declined.output());
  }
}
