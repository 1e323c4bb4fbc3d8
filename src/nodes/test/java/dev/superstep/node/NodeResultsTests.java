package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.json.Json;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeResultsTests {

  /// E30, E26, E4, P2: every part of a result that is done.
  @Test
  void readsAllPartsOfAResult() {
    var result =
        done(
            """
            {"update": {"a": [1]}, "overwrite": {"b": null}, "remove": ["c"],
             "remove_messages": ["m1"], "goto": ["x", "__end__"],
             "dispatch": [{"node": "y", "input": {"k": 1}, "id": "i", "metadata": {"m": 2}}],
             "variables": {"llm.model": "m"}, "prompt": "p", "response": "r",
             "events": [{"name": "found", "data": 2}], "history_metadata": {"source": "web"}}
            """);
    assertThat(result)
        .isEqualTo(
            new NodeResult(
                new Change(
                    List.of("c"),
                    List.of("m1"),
                    ObjectValue.of("b", Value.NULL),
                    ObjectValue.of("a", ListValue.of(Value.of(1)))),
                List.of("x", "__end__"),
                List.of(
                    new DispatchRequest(
                        "y",
                        ObjectValue.of("k", Value.of(1)),
                        "i",
                        ObjectValue.of("m", Value.of(2)))),
                ObjectValue.of("llm.model", Value.of("m")),
                "p",
                "r",
                List.of(new CustomEvent("found", Value.of(2))),
                ObjectValue.of("source", Value.of("web"))));
  }

  @Test
  void takesAnEmptyObjectAsDoneWithoutChange() {
    assertThat(done("{}")).isEqualTo(NodeResult.NOTHING);
  }

  @Test
  void takesNullMembersAsAbsent() {
    assertThat(
            done(
                """
                {"update": null, "overwrite": null, "remove": null, "remove_messages": null,
                 "goto": null, "dispatch": null, "variables": null, "prompt": null,
                 "response": null, "interrupt": null}
                """))
        .isEqualTo(NodeResult.NOTHING);
  }

  /// E26: an empty goto ends the branch; an absent one leaves the edges.
  @Test
  void tellsAnEmptyGotoFromNone() {
    assertThat(done("{\"goto\": []}").goTo()).isEmpty();
    assertThat(done("{\"dispatch\": []}").goTo()).isNull();
  }

  /// E5: the input of a dispatch is an object, `{}` by default.
  @Test
  void givesADispatchAnEmptyInputByDefault() {
    assertThat(done("{\"dispatch\": [{\"node\": \"y\"}]}").dispatch())
        .containsExactly(new DispatchRequest("y", ObjectValue.empty(), null, ObjectValue.empty()));
  }

  @Test
  void flattensVariablesToDottedKeys() {
    assertThat(
            done("{\"variables\": {\"llm\": {\"a\": {\"b\": 1}, \"c\": []}, \"d\": {}}}")
                .variables())
        .isEqualTo(Json.read("{\"llm.a.b\": 1, \"llm.c\": [], \"d\": {}}"));
  }

  /// E30, E36, E37: an interrupt with a change, a schema and an expiry.
  @Test
  void readsAnInterrupt() {
    var request =
        interrupted(
            """
            {"update": {"draft": "d"},
             "interrupt": {"reason": "need_approval", "payload": {"q": 1},
               "schema": {"type": ["boolean", "null"]}, "expires_after": "1h", "on_expiry": "answer",
               "default_answer": null}}
            """);
    assertThat(request.reason()).isEqualTo("need_approval");
    assertThat(request.payload()).isEqualTo(Json.read("{\"q\": 1}"));
    assertThat(request.change()).isEqualTo(Change.update("draft", Value.of("d")));
    assertThat(request.schema()).contains(Json.read("{\"type\": [\"boolean\", \"null\"]}"));
    assertThat(request.expiry())
        .contains(new InterruptRequest.Expiry(Duration.ofHours(1), Optional.of(Value.NULL)));
  }

  /// E37: with on_expiry: fail the default answer means nothing.
  @Test
  void failsOnExpiryUnlessToldToAnswer() {
    var request =
        interrupted(
            """
            {"interrupt": {"reason": "r", "payload": {}, "schema": {}, "expires_after": "1h",
               "on_expiry": "fail", "default_answer": null}}
            """);
    assertThat(request.expiry())
        .contains(new InterruptRequest.Expiry(Duration.ofHours(1), Optional.empty()));
  }

  /// E30: an interrupt beside goto or dispatch is `bad_node_result`, and so is all that would be
  /// lost.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "goto": []                      | /goto
          "goto": ["a"]                   | /goto
          "dispatch": [{"node": "a"}]     | /dispatch
          "variables": {"a": 1}           | /variables
          "prompt": "p"                   | /prompt
          "response": "r"                 | /response
          """)
  void refusesAnInterruptBesideAnythingButAChange(String member, String pointer) {
    assertThat(pointers("{\"interrupt\": {\"reason\": \"r\"}, %s}".formatted(member)))
        .containsExactly(pointer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          []                                              | ''
          null                                            | ''
          {"updates": {}}                                 | /updates
          {"update": []}                                  | /update
          {"update": {"__x": 1}}                          | /update/__x
          {"update": {"a b": 1}}                          | /update/a b
          {"overwrite": {"a/b": 1}}                       | /overwrite/a~1b
          {"remove": "a"}                                 | /remove
          {"remove": [1]}                                 | /remove/0
          {"remove": ["__a"]}                             | /remove/0
          {"remove_messages": [null]}                     | /remove_messages/0
          {"goto": "a"}                                   | /goto
          {"goto": [{"node": "a"}]}                       | /goto/0
          {"dispatch": {"node": "a"}}                     | /dispatch
          {"dispatch": ["a"]}                             | /dispatch/0
          {"dispatch": [{}]}                              | /dispatch/0/node
          {"dispatch": [{"node": 1}]}                     | /dispatch/0/node
          {"dispatch": [{"node": "a", "input": []}]}      | /dispatch/0/input
          {"dispatch": [{"node": "a", "id": ""}]}         | /dispatch/0/id
          {"dispatch": [{"node": "a", "id": "__x"}]}      | /dispatch/0/id
          {"dispatch": [{"node": "a", "data": {}}]}       | /dispatch/0/data
          {"variables": {" ": 1}}                         | '/variables/ '
          {"variables": {"a.b": 1, "a": {"b": 2}}}        | /variables/a.b
          {"prompt": 1}                                   | /prompt
          {"response": ["r"]}                             | /response
          {"interrupt": "r"}                              | /interrupt
          {"interrupt": {}}                               | /interrupt/reason
          {"interrupt": {"reason": "r", "why": 1}}        | /interrupt/why
          {"interrupt": {"reason": "r", "schema": []}}    | /interrupt/schema
          {"interrupt": {"reason": "r", "schema": {"type": "thing"}}} | /interrupt/schema/type
          {"interrupt": {"reason": "r", "on_expiry": "x"}}           | /interrupt/on_expiry
          {"interrupt": {"reason": "r", "expires_after": "soon"}}    | /interrupt/expires_after
          {"interrupt": {"reason": "r", "expires_after": "1h", "on_expiry": "answer"}} | /interrupt/default_answer
          {"interrupt": {"reason": "r", "on_expiry": "answer", "default_answer": 1}} | /interrupt/expires_after
          {"interrupt": {"reason": "r", "schema": {"type": "string"}, "expires_after": "1h", "on_expiry": "answer", "default_answer": 1}} | /interrupt/default_answer
          """)
  void refusesWhatIsNoNodeResult(String json, String pointer) {
    assertThat(pointers(json)).contains(pointer);
  }

  /// E37: one wrong default is one problem, however many keywords of the schema complain.
  @Test
  void saysOnceWhatIsWrongWithADefaultAnswer() {
    assertThat(
            pointers(
                """
                {"interrupt": {"reason": "r", "schema": {"type": "string", "enum": ["a", "b"]},
                  "expires_after": "1h", "on_expiry": "answer", "default_answer": 1}}
                """))
        .containsExactly("/interrupt/default_answer");
  }

  @Test
  void namesEveryProblemAtOnce() {
    var error = error("{\"goto\": 1, \"prompt\": 2, \"x\": 3}");
    assertThat(error)
        .extracting(TaskError::code, TaskError::retryable)
        .containsExactly("bad_node_result", Retryable.NO);
    assertThat(error.message()).contains("(and 2 more)");
    assertThat(errors(error))
        .extracting(NodeResultsTests::pointer)
        .containsExactlyInAnyOrder("/goto", "/prompt", "/x");
  }

  @Test
  void readsHowFarDispatchesHaveToGet() {
    assertThat(policy("{\"min_succeeded\": 2.0, \"tolerated_failures\": 0.5}"))
        .isEqualTo(new DispatchPolicy(2, Optional.of(new BigDecimal("0.5")), 0));
    assertThat(policy("{\"first_wins\": true, \"max_concurrency\": 3}"))
        .isEqualTo(new DispatchPolicy(1, Optional.empty(), 3));
    assertThat(policy("{\"tolerated_failures\": 2, \"first_wins\": false}"))
        .isEqualTo(new DispatchPolicy(0, Optional.of(BigDecimal.valueOf(2)), 0));
    assertThat(policy("null")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          3                                           | ''
          {"min": 1}                                  | /min
          {"min_succeeded": 0}                        | /min_succeeded
          {"min_succeeded": 1.5}                      | /min_succeeded
          {"min_succeeded": "2"}                      | /min_succeeded
          {"min_succeeded": 1000001}                  | /min_succeeded
          {"first_wins": 1}                           | /first_wins
          {"first_wins": true, "min_succeeded": 1}    | /first_wins
          {"tolerated_failures": -1}                  | /tolerated_failures
          {"tolerated_failures": 1.5}                 | /tolerated_failures
          {"tolerated_failures": 1e300}               | /tolerated_failures
          {"max_concurrency": -1}                     | /max_concurrency
          """)
  void refusesAPolicyThatIsNone(String policy, String pointer) {
    assertThat(pointers("{\"dispatch_policy\": %s}".formatted(policy)))
        .containsExactly("/dispatch_policy" + pointer);
  }

  private static @Nullable DispatchPolicy policy(String json) {
    return done("{\"dispatch\": [{\"node\": \"a\"}], \"dispatch_policy\": %s}".formatted(json))
        .policy();
  }

  private static NodeResult done(String json) {
    assertThat(NodeResults.parse(Json.read(json))).isInstanceOf(Outcome.Done.class);
    return ((Outcome.Done) NodeResults.parse(Json.read(json))).result();
  }

  private static InterruptRequest interrupted(String json) {
    assertThat(NodeResults.parse(Json.read(json))).isInstanceOf(Outcome.Interrupted.class);
    return ((Outcome.Interrupted) NodeResults.parse(Json.read(json))).request();
  }

  private static TaskError error(String json) {
    assertThat(NodeResults.parse(Json.read(json))).isInstanceOf(Outcome.Failed.class);
    return ((Outcome.Failed) NodeResults.parse(Json.read(json))).error();
  }

  private static List<String> pointers(String json) {
    return errors(error(json)).stream().map(NodeResultsTests::pointer).toList();
  }

  private static List<Value> errors(TaskError error) {
    return ((ListValue) error.details().getOr("errors", ListValue.empty())).asList();
  }

  private static String pointer(Value problem) {
    var pointer = ((ObjectValue) problem).getOr("pointer", Value.NULL);
    return ((Value.Text) pointer).value();
  }
}
