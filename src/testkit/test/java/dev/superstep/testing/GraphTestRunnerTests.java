package dev.superstep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.read.TestReport.TestFailure;
import dev.superstep.definition.read.TestReport.TestResult;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GraphTestRunnerTests {
  private static final String FAN =
      """
      name: fan
      channels: { notes: { reducer: append }, topics: {} }
      nodes:
        - { id: plan, type: expression, config: { dispatch: "{{ fan_out('research', state.topics, 'topic') }}" }, targets: [research] }
        - id: research
          type: http
          config: { mode: request, url: "https://research.example/{{ input.topic }}", result: { update: { notes: ["{{ response.body }}"] } } }
          retry: { max_attempts: 3 }
        - { id: join, type: router }
      edges:
        - { from: __start__, to: plan }
        - { from: research, to: join }
      """;

  private static final String AGENT =
      """
      name: agent
      template: agent
      tools:
        weather: { url: "https://weather.example/{city}", method: GET, parameters: { type: object, required: [city] } }
      nodes:
        - { id: think, type: llm, config: { tools: [weather] } }
        - { id: act, type: tool, config: { approval: APPROVAL } }
      edges:
        - { from: __start__, to: think }
        - { from: think, to: act, condition: "state.finish_reason == 'tool_calls'" }
        - { from: act, to: think }
      tests:
        - name: asks for the weather
          input: { messages: [{ role: user, content: "Weather in Rome?" }] }
          models: [{ tool_calls: [{ name: weather, arguments: { city: Rome } }] }, It is sunny.]
          expect: { state: "state.messages[size(state.messages) - 1].content == 'It is sunny.'", path: [think, act, think] }
      """;

  private static final String REVIEW =
      """
      name: review
      nodes:
        - id: review
          type: human
          config: { payload: { question: "Publish?" }, answer_schema: { type: object, required: [approved] } }
        - { id: publish, type: expression, config: { update: { published: true } } }
      edges:
        - { from: __start__, to: review }
        - { from: review, to: publish, condition: "state.review.approved" }
        - { from: review, to: review, condition: "!state.review.approved" }
      """;

  private static TestResult only(String yaml) {
    return TestedDefinition.run(yaml).tests().getFirst();
  }

  private static TestFailure failure(String yaml) {
    var failures = only(yaml).failures();
    assertThat(failures).hasSize(1);
    return failures.getFirst();
  }

  @Test
  void runsNodesOnMocksAndComputesTheRest() {
    var result =
        only(
            FAN
                + """
                tests:
                  - name: all topics
                    input: { topics: [a, b, c] }
                    mocks: { research: { body: "about {{ input.topic }}" } }
                    expect:
                      path: [plan, research*3, join]
                      calls: { research: 3 }
                      output: { notes: [about a, about b, about c] }
                """);
    assertThat(result.failures()).isEmpty();
    assertThat(result.status()).contains("succeeded");
    assertThat(result.path())
        .containsExactly(List.of("plan"), List.of("research*3"), List.of("join"));
  }

  @Test
  void givesTheResultsOfAListInTaskOrder() {
    assertThat(
            only(FAN
                    + """
                    tests:
                      - name: in order
                        input: { topics: [a, b] }
                        mocks: { research: [{ body: first }, { body: second }] }
                        expect: { path: [plan, "research*", [join]], output: { notes: [first, second] } }
                    """)
                .failures())
        .isEmpty();
  }

  @Test
  void failsWhenTheResultsAreUsedUp() {
    var failure =
        failure(
            FAN
                + """
                tests:
                  - { name: short, input: { topics: [a, b] }, mocks: { research: [{ body: first }] } }
                """);
    assertThat(failure.pointer()).isEqualTo("/tests/0/mocks/research");
    assertThat(failure.message())
        .isEqualTo(
            "'research' is called for the 2nd time, and the list has 1 result(s): add another");
    assertThat(failure.superstep()).contains(2);
  }

  @Test
  void failsForANodeThatWouldCallOut() {
    var failure = failure(FAN + "tests: [{ name: none, input: { topics: [a] } }]");
    assertThat(failure.pointer()).isEqualTo("/tests/0/mocks");
    assertThat(failure.message())
        .isEqualTo(
            "node 'research' (http) would call out, which tests do not: say in mocks what it gets,"
                + " 'research: …'");
  }

  @Test
  void retriesFailuresWithoutWaiting() {
    assertThat(
            only(FAN
                    + """
                    tests:
                      - name: busy
                        input: { topics: [a] }
                        mocks: { research: [{ status: 503 }, { error: { code: http_unreachable } }, { body: at last }] }
                        expect: { calls: { research: 3 }, output: { notes: [at last] } }
                    """)
                .failures())
        .isEmpty();
  }

  @Test
  void doesNotRetryAPermanentError() {
    assertThat(
            only(FAN
                    + """
                    tests:
                      - name: gone
                        input: { topics: [a] }
                        mocks: { research: { error: { code: http_404, message: it is gone } } }
                        expect: { calls: { research: 1 }, error: { code: "http_*", message: gone } }
                    """)
                .failures())
        .isEmpty();
  }

  @Test
  void saysWhyARunFailed() {
    var failure =
        failure(
            FAN
                + """
                tests:
                  - { name: gone, input: { topics: [a] }, mocks: { research: { error: { code: http_404, message: it is gone } } } }
                """);
    assertThat(failure.pointer()).isEqualTo("/tests/0/expect/status");
    assertThat(failure.message())
        .isEqualTo("the run is failed: http_404 in node 'research': it is gone");
    assertThat(failure.superstep()).contains(2);
    assertThat(failure.expected()).contains(Value.of("succeeded"));
  }

  @Test
  void reportsTheFirstSuperstepThatIsAnother() {
    var result =
        only(
            FAN
                + """
                tests:
                  - name: wrong
                    input: { topics: [a, b] }
                    mocks: { research: { body: x } }
                    expect: { path: [plan, research*3, join], calls: { join: 2 }, output: { notes: [x, y] } }
                """);
    assertThat(result.failures())
        .extracting(TestFailure::pointer)
        .containsExactly(
            "/tests/0/expect/path/1",
            "/tests/0/expect/calls/join",
            "/tests/0/expect/output/notes/1");
    var path = result.failures().getFirst();
    assertThat(path.message()).isEqualTo("superstep 2 should run research*3, and runs research*2");
    assertThat(path.superstep()).contains(2);
    assertThat(path.actual()).contains(Value.of("research*2"));
    assertThat(result.failures().getLast().message())
        .isEqualTo("output/notes/1 is \"x\", expected is \"y\"");
  }

  @Test
  void saysWhenThePathIsShorterOrLonger() {
    var shorter = FAN + "tests: [{ name: s, input: { topics: [a] }, mocks: { research: {} }, ";
    assertThat(failure(shorter + "expect: { path: [plan, research, join, plan] } }]").message())
        .isEqualTo("superstep 4 should run plan; the run was over");
    var longer = failure(shorter + "expect: { path: [plan, research] } }]");
    assertThat(longer.message()).isEqualTo("superstep 3 runs join; no more was expected");
    assertThat(longer.pointer()).isEqualTo("/tests/0/expect/path");
  }

  @Test
  void letsTimePassInWaits() {
    assertThat(
            only("""
            name: sleeper
            nodes:
              - { id: sleep, type: wait, config: { for: 2d } }
              - { id: woken, type: expression, config: { update: { at: "{{ string(now) }}" } } }
            edges:
              - { from: __start__, to: sleep }
              - { from: sleep, to: woken }
            tests:
              - { name: sleeps, expect: { path: [sleep, woken], calls: { sleep: 1 }, output: "output.at.startsWith('2026-01-03T00:00')" } }
            """)
                .failures())
        .isEmpty();
  }

  @Test
  void answersQuestionsOneAfterTheOther() {
    assertThat(
            only(REVIEW
                    + """
                    tests:
                      - name: second time
                        answers: { review: [{ approved: false }, { approved: true }] }
                        expect: { path: [review, review, publish], calls: { review: 2 }, output: { published: true } }
                    """)
                .failures())
        .isEmpty();
  }

  @Test
  void answersQuestionsOfOneSuperstepInTaskOrder() {
    assertThat(
            only("""
            name: votes
            channels: { votes: { reducer: append } }
            nodes:
              - { id: ask, type: expression, targets: [vote],
                  config: { dispatch: "{{ fan_out('vote', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'], 'who') }}" } }
              - { id: vote, type: human,
                  config: { payload: "{{ input }}", result: { update: { votes: ["{{ input.who + response }}"] } } } }
            tests:
              - name: each gets its own
                input: {}
                answers: { vote: [A, B, C, D, E, F, G, H, I, J, K] }
                expect: { state: { votes: [aA, bB, cC, dD, eE, fF, gG, hH, iI, jJ, kK] } }
            """)
                .failures())
        .isEmpty();
  }

  @Test
  void leavesARunInterruptedWhoseQuestionNobodyAnswers() {
    assertThat(
            only(REVIEW
                    + "tests: [{ name: open, expect: { status: interrupted, path: [review] } }]")
                .failures())
        .isEmpty();
    assertThat(failure(REVIEW + "tests: [{ name: open }]").message())
        .isEqualTo("the run is interrupted");
  }

  @Test
  void letsAQuestionExpireThatNobodyAnswers() {
    var expiring =
        REVIEW.replace(
            "payload:",
            "expires_after: 1h, on_expiry: answer, default_answer: { approved: true }, payload:");
    assertThat(
            only(expiring + "tests: [{ name: late, expect: { output: { published: true } } }]")
                .failures())
        .isEmpty();
  }

  @Test
  void refusesAnAnswerThatTheApiWouldRefuse() {
    var failure = failure(REVIEW + "tests: [{ name: bad, answers: { review: { yes: true } } }]");
    assertThat(failure.pointer()).isEqualTo("/tests/0/answers/review");
    assertThat(failure.message()).startsWith("the answer does not satisfy the question's schema");
  }

  @Test
  void runsAnAgentWithItsToolsOnScriptedModels() {
    assertThat(
            only(AGENT
                    .replace("APPROVAL", "never")
                    .replace(
                        "models:",
                        "tools: { weather: { sky: \"{{ input.city }}\" } }\n    models:"))
                .failures())
        .isEmpty();
  }

  @Test
  void asksForApprovalOfMockedTools() {
    var agent = AGENT.replace("APPROVAL", "always");
    assertThat(
            only(agent.replace(
                    "models:",
                    """
                    answers: { act: { decision: approve } }
                        tools: { weather: sunny }
                        models:\
                    """))
                .failures())
        .isEmpty();
    assertThat(
            failure(
                    agent
                        .replace("models:", "tools: { weather: sunny }\n    models:")
                        .replace("expect: { ", "expect: { status: interrupted, ")
                        .replaceAll(
                            "state: \"[^\"]*\", path: \\[think, act, think\\]", "path: [think]"))
                .message())
        .isEqualTo("superstep 2 runs act; no more was expected");
  }

  @Test
  void failsForAToolWithoutAnAnswer() {
    var failure = failure(AGENT.replace("APPROVAL", "never"));
    assertThat(failure.pointer()).isEqualTo("/tests/0/tools");
    assertThat(failure.message())
        .contains("node 'act' would call the tool 'weather', which tests do not");
  }

  @Test
  void tellsTheModelOfAToolThatFails() {
    assertThat(
            only(AGENT
                    .replace("APPROVAL", "never")
                    .replace(
                        "models:",
                        "tools: { weather: { error: { message: no sky } } }\n    models:")
                    .replace(
                        "state: \"",
                        "output: \"output.messages.exists(m, m.?is_error.orValue(false) &&"
                            + " m.content == 'no sky')\", state: \""))
                .failures())
        .isEmpty();
  }

  @Test
  void goesOnFromTheStateOfAThread() {
    assertThat(
            only("""
            name: counter
            channels: { count: { reducer: sum, default: 0 }, draft: { scope: run, default: none } }
            nodes: [{ id: add, type: expression, config: { update: { count: 1 } } }]
            edges: [{ from: __start__, to: add }]
            tests:
              - { name: second turn, thread: { count: 4, draft: old }, expect: { output: { count: 5, draft: none } } }
            """)
                .failures())
        .isEmpty();
  }

  @Test
  void passesBreakpoints() {
    assertThat(
            only("""
            name: stops
            interrupt_before: ["*"]
            interrupt_after: ["*"]
            nodes: [{ id: a, type: router }, { id: b, type: router }]
            edges: [{ from: __start__, to: a }, { from: a, to: b }]
            tests: [{ name: goes on, expect: { path: [a, b] } }]
            """)
                .failures())
        .isEmpty();
  }

  @Test
  void checksConditionsOneByOne() {
    var result =
        only(
            """
            name: conditions
            output: { channels: [a] }
            nodes: [{ id: set, type: expression, config: { update: { a: 1, b: 2 } } }]
            edges: [{ from: __start__, to: set }]
            tests:
              - name: some
                expect:
                  output: ["output.a == 1", "output.b == 2"]
                  state: ["state.b == 2", "state.b > 2"]
            """);
    assertThat(result.failures())
        .extracting(TestFailure::pointer)
        .containsExactly("/tests/0/expect/output/1", "/tests/0/expect/state/1");
    assertThat(result.failures().getFirst().message()).contains("cannot be evaluated");
    assertThat(result.failures().getLast().message()).isEqualTo("state.b > 2 is not true");
  }

  @Test
  void checksTheAnswerOfAModelAgainstItsSchema() {
    var graph =
        """
        name: grade
        nodes:
          - { id: grade, type: llm, config: { prompt: "Grade {{ state.text }}", output_to: verdict, output_schema: { type: object, required: [score] } } }
        edges: [{ from: __start__, to: grade }]
        tests:
          - { name: good, input: { text: x }, mocks: { grade: { score: 3 } }, expect: { output: { verdict: { score: 3 } } } }
          - { name: bad, input: { text: x }, mocks: { grade: { points: 3 } }, expect: { error: { code: invalid_output }, calls: { grade: 1 } } }
          - { name: no text, mocks: { grade: { score: 3 } }, expect: { error: { code: expression_failed } } }
        """;
    assertThat(TestedDefinition.run(graph).tests())
        .allSatisfy(it -> assertThat(it.failures()).as(it.name()).isEmpty());
  }

  @Test
  void makesNoSummaryByAModel() {
    assertThat(
            only("""
            name: long
            channels:
              messages: { reducer: messages, compaction: { when: { messages_over: 2 }, keep_last: 1, summarizer: { type: llm } } }
            nodes: [{ id: a, type: router }, { id: b, type: router }]
            edges: [{ from: __start__, to: a }, { from: a, to: b }]
            tests:
              - name: keeps all
                input: { messages: [{ role: user, content: a }, { role: assistant, content: b }, { role: user, content: c }] }
                expect: { path: [a, b], output: "size(output.messages) == 3" }
            """)
                .failures())
        .isEmpty();
  }

  @Test
  void runsASubgraphOnItsOutput() {
    assertThat(
            only("""
            name: parent
            nodes: [{ id: child, type: subgraph, config: { graph: other, input: { a: 1 }, output: { update: { got: "{{ response.x }}" } } } }]
            edges: [{ from: __start__, to: child }]
            tests: [{ name: runs, mocks: { child: { x: 7 } }, expect: { output: { got: 7 } } }]
            """)
                .failures())
        .isEmpty();
  }

  @Test
  void takesAMockInPlaceOfANodeThatComputes() {
    assertThat(
            only("""
            name: replaced
            nodes: [{ id: a, type: expression, config: { update: { x: "{{ state.missing }}" } } }, { id: b, type: router }, { id: c, type: router }]
            edges: [{ from: __start__, to: a }, { from: a, to: b }]
            tests: [{ name: other way, mocks: { a: { update: { x: 2 }, goto: [c] } }, expect: { path: [a, c], output: { x: 2 } } }]
            """)
                .failures())
        .isEmpty();
  }

  @Test
  void endsAGraphThatRunsInCircles() {
    var result =
        only(
            """
            name: circle
            nodes: [{ id: a, type: router }]
            edges: [{ from: __start__, to: a }, { from: a, to: a }]
            tests: [{ name: round, expect: { error: { code: max_supersteps_exceeded } } }]
            """);
    assertThat(result.failures()).isEmpty();
    assertThat(result.supersteps()).isEqualTo(100);
  }

  @Test
  void checksTheInputAgainstItsSchema() {
    var failure =
        failure(
            """
            name: strict
            input: { schema: { type: object, required: [topic] } }
            nodes: [{ id: a, type: router }]
            edges: [{ from: __start__, to: a }]
            tests: [{ name: nothing }]
            """);
    assertThat(failure.pointer()).startsWith("/tests/0/input");
    assertThat(failure.superstep()).isEqualTo(Optional.empty());
  }

  @Test
  void setsParams() {
    var graph =
        """
        name: limits
        params: { most: { schema: { type: integer } }, unit: { default: km } }
        nodes: [{ id: a, type: expression, config: { update: { x: "{{ params.most }} {{ params.unit }}" } } }]
        edges: [{ from: __start__, to: a }]
        """;
    assertThat(
            only(graph
                    + "tests: [{ name: a, params: { most: 3 }, expect: { output: { x: 3 km } } }]")
                .failures())
        .isEmpty();
    var missing = failure(graph + "tests: [{ name: a }]");
    assertThat(missing.pointer()).isEqualTo("/tests/0/params/most");
    assertThat(missing.message()).contains("give it a value in the params of the test");
    assertThat(failure(graph + "tests: [{ name: a, params: { most: x } }]").pointer())
        .isEqualTo("/tests/0/params/most");
    assertThat(failure(graph + "tests: [{ name: a, params: { mast: 1, most: 1 } }]").pointer())
        .isEqualTo("/tests/0/params/mast");
  }

  @Test
  void namesNodesAsTheAuthorDid() {
    assertThat(
            only("""
            name: routed
            nodes:
              - { id: ask, type: llm, config: { prompt: x, messages: "", result: { update: { word: "{{ response }}" } } }, on_failure: { to: sorry } }
              - { id: check, type: router, switch: [{ when: "state.word == 'yes'", to: good }, { else: sorry }] }
              - { id: good, type: router, next: __end__ }
              - { id: sorry, type: router, next: __end__ }
            edges: [{ from: ask, to: check }]
            tests:
              - { name: good, mocks: { ask: "yes" }, expect: { path: [ask, check, good], output: { word: "yes" } } }
            """)
                .failures())
        .isEmpty();
  }

  @Test
  void expectsTheErrorOfAFailNode() {
    assertThat(
            only("""
            name: saga
            nodes:
              - { id: flight, type: http, config: { mode: request, url: "https://air.example", result: {} }, on_failure: { to: failed, error_to: problem } }
              - { id: failed, type: fail, config: { code: sold_out, message: "{{ state.problem.message }}" } }
            tests:
              - name: ends failed
                mocks: { flight: { error: { code: http_409, message: no seat left } } }
                expect: { path: [flight, failed], error: { code: sold_out, message: no seat } }
            """)
                .failures())
        .isEmpty();
  }
}
