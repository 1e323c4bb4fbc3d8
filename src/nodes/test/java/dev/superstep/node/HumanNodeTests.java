package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.Addressees;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.InterruptRequest.Expiry;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Violation;
import dev.superstep.json.Json;
import dev.superstep.state.Change;
import dev.superstep.state.Channels;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HumanNodeTests {

  /// E30, E37: a question with payload, schema and expiry.
  @Test
  void asks() throws Exception {
    var request =
        ask(
            """
            {"payload": {"question": "Publish?", "findings": "{{ state.findings }}"},
             "answer_schema": {"type": "object"}, "expires_after": "{{ state.hours }}h",
             "on_expiry": "answer", "default_answer": {"n": "{{ size(state.findings) }}"}}
            """,
            TestCall.plain().state("{\"findings\": [\"x\"], \"hours\": 2}"));
    assertThat(request)
        .isEqualTo(
            new InterruptRequest(
                "human_input",
                Json.read("{\"question\": \"Publish?\", \"findings\": [\"x\"]}"),
                Change.NONE,
                Optional.of(Json.read("{\"type\": \"object\"}")),
                Optional.of(
                    new Expiry(Duration.ofHours(2), Optional.of(Json.read("{\"n\": 1}"))))));
  }

  @Test
  void asksWithoutAnythingConfigured() throws Exception {
    assertThat(ask("{}", TestCall.plain()))
        .isEqualTo(InterruptRequest.of("human_input", Value.NULL));
  }

  @Test
  void saysWhoMayAnswer() throws Exception {
    assertThat(ask("{\"may_answer\": \"other_than_starter\"}", TestCall.plain()))
        .isEqualTo(InterruptRequest.of("human_input", Value.NULL).by(MayAnswer.OTHER_THAN_STARTER));
    assertThat(ask("{\"may_answer\": \"anybody\"}", TestCall.plain()).mayAnswer())
        .isEqualTo(MayAnswer.ANYBODY);
  }

  @Test
  void saysWhomItAsks() throws Exception {
    var config =
        """
        {"assignee": "{{ state.who }}", "candidates": "{{ state.team }}", "not": "starter"}
        """;
    var call = TestCall.plain().state("{\"who\": \"ann\", \"team\": [\"bob\", \"group:a\"]}");

    assertThat(ask(config, call).addressees())
        .isEqualTo(
            new Addressees(Optional.of("ann"), List.of("bob", "group:a"), List.of("starter")));
    assertThat(
            ask(
                    "{\"assignee\": \"{{ state.who }}\", \"candidates\": \"bob\"}",
                    call.state("{\"who\": \"\"}"))
                .addressees())
        .isEqualTo(new Addressees(Optional.empty(), List.of("bob"), List.of()));
    for (var nobody : List.of("\"\"", "null")) {
      assertThatExceptionOfType(ExpressionException.class)
          .isThrownBy(() ->
              ask(
                  "{\"assignee\": \"{{ state.who }}\"}",
                  call.state("{\"who\": %s}".formatted(nobody))))
          .withMessageContaining("is nobody");
    }
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(
            () -> ask("{\"candidates\": \"{{ state.team }}\"}", call.state("{\"team\": []}")))
        .withMessageContaining("must name somebody");
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() ->
            ask("{\"candidates\": \"{{ [state.who] }}\"}", call.state("{\"who\": \"role:x\"}")))
        .withMessageContaining("/candidates: has 'role:x'");
  }

  /// E37: fail is the default.
  @Test
  void failsOnExpiryByDefault() throws Exception {
    assertThat(ask("{\"expires_after\": \"1h\"}", TestCall.plain()).expiry())
        .contains(new Expiry(Duration.ofHours(1), Optional.empty()));
  }

  /// E37: what a template gives is known only when the question expires.
  @Test
  void leavesDefaultAnswersThatAreTemplatesToTheRun() throws Exception {
    var config =
        "{\"answer_schema\": {\"type\": \"boolean\"}, \"expires_after\": \"1h\","
            + " \"on_expiry\": \"answer\", \"default_answer\": \"{{ true }}\"}";
    assertThat(ask(config, TestCall.plain()).expiry())
        .contains(new Expiry(Duration.ofHours(1), Optional.of(Value.TRUE)));
  }

  /// E37: the default is an answer like any other.
  @Test
  void refusesADefaultAnswerThatATemplateGivesAndTheSchemaDoesNot() {
    var config =
        "{\"answer_schema\": {\"type\": \"boolean\"}, \"expires_after\": \"1h\","
            + " \"on_expiry\": \"answer\", \"default_answer\": \"{{ 1 + 1 }}\"}";
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> ask(config, TestCall.plain()))
        .withMessageContaining("/default_answer: ");
  }

  @Test
  void saysWhatATemplateGaveInsteadOfADuration() {
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> ask("{\"expires_after\": \"{{ 3 }}\"}", TestCall.plain()))
        .withMessage("/expires_after: 3 is no duration");
  }

  @Test
  void takesNullAsADefaultAnswer() throws Exception {
    var config = "{\"expires_after\": \"1h\", \"on_expiry\": \"answer\", \"default_answer\": null}";
    assertThat(ask(config, TestCall.plain()).expiry())
        .contains(new Expiry(Duration.ofHours(1), Optional.of(Value.NULL)));
  }

  static Stream<Value> answers() {
    return Stream.of(
        Value.NULL,
        Value.FALSE,
        Value.of(""),
        ObjectValue.empty(),
        ListValue.empty(),
        ObjectValue.of("approved", Value.TRUE));
  }

  /// E35, E36: any answer is legal, and is written as an update.
  @ParameterizedTest
  @MethodSource("answers")
  void writesTheAnswer(Value answer) throws Exception {
    var outcome = node("{\"answer_to\": \"review\"}").run(TestCall.plain().answer(answer));
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Done.class,
            it -> assertThat(it.result().change()).isEqualTo(Change.update("review", answer)));
  }

  @Test
  void writesTheAnswerToTheChannelOfItsNameByDefault() throws Exception {
    var outcome = node("{}").run(TestCall.plain().answer(Value.TRUE));
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Done.class,
            it -> assertThat(it.result().change()).isEqualTo(Change.update("n", Value.TRUE)));
  }

  @Test
  void makesItsResultFromTheAnswer() throws Exception {
    var config =
        "{\"payload\": \"{{ input.who }}?\", \"result\": {\"update\":"
            + " {\"answers\": \"{{ [{'who': input.who, 'yes': response.ok}] }}\"}}}";
    var call =
        TestCall.plain()
            .dispatch("d", "{\"who\": \"Ann\"}")
            .answer(ObjectValue.of("ok", Value.TRUE));

    assertThat(node(config).run(call))
        .isInstanceOfSatisfying(
            Outcome.Done.class,
            it -> {
              assertThat(it.result().change().update())
                  .isEqualTo(Json.read("{\"answers\": [{\"who\": \"Ann\", \"yes\": true}]}"));
              assertThat(it.result().prompt()).isEqualTo("Ann?");
              assertThat(it.result().response()).isEqualTo("{\"ok\":true}");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"expires_after": "soon"}     | /expires_after | invalid_duration
          {"answer_to": "a", "result": {"update": {}}} | /answer_to | not_applicable
          {"payload": "{{ 1 + }}"}      | /payload       | invalid_expression
          {"answer_schema": {"type": "thing"}} | /answer_schema/type | invalid_schema
          {"answer_to": "other"}        | /answer_to     | unknown_channel
          {"answer_to": "an-id"}        | /answer_to     | missing_field
          {"answer_schema": {"type": "object", "properties": {"ok": {"type": "boolean"}}}, "default_answer": {"ok": 1}} | /default_answer/ok | schema_violation
          {"assignee": "group:finance"} | /assignee      | invalid_value
          {"candidates": ["role:boss"]} | /candidates    | invalid_value
          {"candidates": ["starter"]}   | /candidates    | invalid_value
          {"not": [""]}                 | /not           | invalid_value
          {"candidates": []}            | /candidates    | invalid_value
          {"assignee": ""}              | /assignee      | invalid_value
          {"answer_schema": {"type": "boolean"}, "default_answer": null} | /default_answer | schema_violation
          """)
  void saysWhatIsWrongWithItsConfiguration(String config, String pointer, String code) {
    var strict = new GraphOutline(new Channels(Map.of(), true), Set.of());
    assertThatExceptionOfType(InvalidNodeException.class)
        .isThrownBy(() ->
            new HumanNodeType(TestCall.EXPRESSIONS).create(TestCall.node("human", config), strict))
        .satisfies(it ->
            assertThat(it.problems())
                .extracting(Violation::pointer, Violation::code)
                .contains(tuple(pointer, code)));
  }

  @Test
  void hasNoTimeOut() {
    assertThat(new HumanNodeType(TestCall.EXPRESSIONS).defaultTimeout()).isEmpty();
  }

  private static NodeRunner node(String config) {
    return new HumanNodeType(TestCall.EXPRESSIONS)
        .create(TestCall.node("human", config), new GraphOutline(Channels.none(), Set.of()));
  }

  private static InterruptRequest ask(String config, TestCall call) throws Exception {
    var outcome = node(config).run(call);
    assertThat(outcome).isInstanceOf(Outcome.Interrupted.class);
    return ((Outcome.Interrupted) outcome).request();
  }
}
