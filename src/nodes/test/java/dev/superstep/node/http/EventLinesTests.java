package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.CustomEvent;
import dev.superstep.node.http.EventLines.EventForm;
import dev.superstep.node.http.EventLines.ReplyEnd;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EventLinesTests {
  private final List<CustomEvent> events = new ArrayList<>();

  private ReplyEnd read(EventForm form, String text) {
    return EventLines.read(form, text.getBytes(StandardCharsets.UTF_8), events::add);
  }

  private static String written(EventForm form) {
    return switch (form) {
      case NDJSON ->
          """
          {"event": {"name": "found", "data": {"n": 1}}}

          {"event": {"name": "done"}}
          {"result": {"update": {"a": 1}}}
          """;
      case SSE ->
          """
          : a comment
          event: custom
          id: 7
          data: {"name": "found",
          data: "data": {"n": 1}}

          event: custom
          data: {"name": "done"}

          event: result
          data: {"update": {"a": 1}}
          """;
    };
  }

  @ParameterizedTest
  @EnumSource
  void readsEventsAndTheResult(EventForm form) {
    var end = read(form, written(form));

    assertThat(end.toString()).isEqualTo("ResultEnd[value={\"update\":{\"a\":1}}]");
    assertThat(events).extracting(CustomEvent::name).containsExactly("found", "done");
    assertThat(events).extracting(it -> it.data().toString()).first().isEqualTo("{\"n\":1}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"event": {"name": "a"}}                       | ended without a result
          no json                                        | a line is no JSON
          {"events": []}                                 | a line must be
          {"event": {"name": "a"}, "result": {}}         | a line must be
          {"event": {"name": "a b"}}                     | an event must be {name, data}
          {"event": {"name": "a", "more": 1}}            | an event must be {name, data}
          {"result": {}}%n{"result": {}}                 | more than one result
          {"result": {}}%n{"event": {"name": "late"}}    | the result must come last
          """)
  void saysWhatIsWrong(String text, String problem) {
    assertThat(read(EventForm.NDJSON, text.formatted()))
        .isInstanceOfSatisfying(
            ReplyEnd.Wrong.class, it -> assertThat(it.problem()).contains(problem));
  }

  @Test
  void knowsItsServerSentEvents() {
    assertThat(read(EventForm.SSE, "event: ping\ndata: {}\n\n").toString())
        .contains("must be of type custom or result; got 'ping'");
  }
}
