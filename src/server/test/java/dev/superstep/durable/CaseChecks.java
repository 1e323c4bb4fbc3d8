package dev.superstep.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

import dev.superstep.checkpoint.StepCodec;
import dev.superstep.durable.OutsideService.Effect;
import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Compares how a case has ended with what it expects.
///
/// @param log of the service
record CaseChecks(DurableCase it, CasePlay play, ObjectValue run, List<Effect> effects, Path log) {
  private static final Duration LATE = Duration.ofSeconds(15);

  void check(JdbcClient jdbc) {
    var expected = it.expected();
    if (expected.has("refused")) {
      assertThat(run.objects("errors")).as(run.toString()).hasSize(1);
      assertThat(run.objects("errors").getFirst().text("pointer"))
          .isEqualTo(expected.text("refused"));
      return;
    }
    assertThat(run.text("status"))
        .as(run.toString())
        .isEqualTo(expected.text("status", "succeeded"));
    assertThat(run.objectOrEmpty("error").textOrEmpty("code"))
        .isEqualTo(expected.textOrEmpty("error"));
    expected
        .asMap()
        .forEach((name, value) -> {
          switch (name) {
            case "steps" -> assertThat(steps(jdbc)).as(name).isEqualTo(value);
            case "recorded" -> assertThat(recorded(jdbc)).as(name).isEqualTo(value);
            default -> check(name, value);
          }
        });
  }

  private void check(String name, Value value) {
    switch (name) {
      case "status", "error" -> {}
      case "output" -> has(run.object("output"), (ObjectValue) value);
      case "state" -> has(play.state(), (ObjectValue) value);
      case "message_of" ->
          ((ObjectValue) value)
              .forEach((channel, text) ->
                  assertThat(run.object("output").object(channel).text("message"))
                      .contains(((Value.Text) text).value()));
      case "message" ->
          assertThat(run.object("error").text("message")).contains(((Value.Text) value).value());
      case "calls" -> assertThat(names()).as(name).isEqualTo(value);
      case "calls_in_any_order" ->
          assertThat(names()).as(name).containsExactlyInAnyOrderElementsOf((ListValue) value);
      case "pauses" -> pauses((ListValue) value);
      case "path" ->
          assertThat(texts(play.items("/v1/runs/%s/tasks?limit=100"), "node")).isEqualTo(value);
      case "dispatches" ->
          assertThat(texts(play.items("/v1/runs/%s/tasks?limit=100"), "dispatch_id"))
              .isEqualTo(value);
      case "children" ->
          assertThat(play.items("/v1/runs?parent=%s").size()).isEqualTo((int) whole(value));
      case "log" ->
          ((ObjectValue) value)
              .forEach((text, count) ->
                  assertThat(contentOf(log.toFile()).lines().filter(line -> line.contains(text)))
                      .hasSize((int) whole(count)));
      case "sleeps" -> between("started_at", "wakes_at", DurableCase.duration(value));
      case "lasts" -> between("started_at", "finished_at", DurableCase.duration(value));
      default -> throw new IllegalArgumentException(name);
    }
  }

  private static long whole(Value value) {
    return ((Value.Int) value).value();
  }

  private static void has(ObjectValue found, ObjectValue expected) {
    expected.forEach((member, value) -> assertThat(found.get(member)).as(member).isEqualTo(value));
  }

  private ListValue names() {
    return ListValue.of(effects.stream().<Value>map(one -> Value.of(one.name())).toList());
  }

  private static ListValue texts(ListValue items, String member) {
    return ListValue.of(
        items
            .items(ObjectValue.class)
            .filter(one -> !(one.getOr(member, Value.NULL) instanceof Value.Null))
            .sorted(Comparator.comparingLong(one -> one.whole("superstep")))
            .map(one -> one.getOr(member, Value.NULL))
            .toList());
  }

  /// Between calls, none of them shorter, or much longer.
  private void pauses(ListValue expected) {
    assertThat(effects).hasSize(expected.size() + 1);
    IntStream.range(0, expected.size())
        .forEach(i -> {
          long nanos = effects.get(i + 1).nanos() - effects.get(i).nanos();
          long wanted = DurableCase.duration(expected.get(i)).toNanos();
          assertThat(nanos).isBetween(wanted, wanted + LATE.toNanos());
        });
  }

  private void between(String from, String to, Duration wanted) {
    var took = Duration.between(Instant.parse(run.text(from)), Instant.parse(run.text(to)));
    assertThat(took).isBetween(wanted, wanted.plus(LATE).plus(wanted));
  }

  private ListValue steps(JdbcClient jdbc) {
    var names =
        jdbc.sql("select name from task_step where run = :run order by ordinal")
            .param("run", it.run())
            .query(String.class)
            .list();
    return ListValue.texts(names.toArray(String[]::new));
  }

  private ListValue recorded(JdbcClient jdbc) {
    return ListValue.of(
        jdbc
            .sql("select content from task_step where run = :run order by ordinal")
            .param("run", it.run())
            .query(byte[].class)
            .stream()
            .map(content ->
                StepCodec.read(content) instanceof StepEnd.StepResult(var result)
                    ? result
                    : Value.NULL)
            .toList());
  }
}
