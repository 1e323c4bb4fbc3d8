package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.json.Json;
import dev.superstep.langgraph.thread.Assistant;
import dev.superstep.langgraph.thread.Assistants.StartableAssistant;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bodies of calls that begin runs.
class RequestReaderTests {
  private static final Assistant ASSISTANT =
      new Assistant(
          "a",
          1,
          new Assistant.AssistantContent(
              "graph",
              "name",
              Optional.empty(),
              ObjectValue.empty(),
              ObjectValue.empty(),
              ObjectValue.empty()),
          new Assistant.AssistantTimes(Instant.EPOCH, Instant.EPOCH));

  private static RunCreate read(String json) {
    var body = (ObjectValue) Json.read(json);
    return new RequestReader(body)
        .read(new StartableAssistant(ASSISTANT, Optional.empty(), ""), body, body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"webhook": 3} | /webhook must be a text
          {"run_id": {}} | /run_id must be a text
          {"checkpoint": 3} | /checkpoint must be an object
          {"checkpoint": {"checkpoint_id": 1}} | /checkpoint/checkpoint_id must be a text
          {"command": []} | /command must be an object
          {"metadata": 1} | /metadata must be an object
          {"context": 1} | /context must be an object
          {"config": 1} | /config must be an object
          {"config": {"configurable": 1}} | /config/configurable must be an object
          {"config": {"recursion_limit": 0}} | /config/recursion_limit must be a whole number from 1 to 2147483647
          {"config": {"recursion_limit": 1.5}} | /config/recursion_limit must be a whole number from 1 to 2147483647
          {"after_seconds": -1} | /after_seconds must be a number from 0 to 31536000
          {"after_seconds": "1"} | /after_seconds must be a number from 0 to 31536000
          {"interrupt_before": 1} | /interrupt_before must be a text or a list of texts
          {"stream_mode": ["values", 1]} | /stream_mode must be a text or a list of texts
          {"stream_subgraphs": 1} | /stream_subgraphs must be true or false
          {"checkpoint_during": "yes"} | /checkpoint_during must be true or false
          {"multitask_strategy": 1} | /multitask_strategy must be a text
          """)
  void saysWhereAValueHasAnotherType(String body, String error) {
    var refused = catchThrowableOfType(ServiceException.class, () -> read(body));
    assertThat(refused.code().code()).isEqualTo("wrong_type");
    var found = refused.errors().getFirst();
    assertThat(found.pointer() + " " + found.message()).isEqualTo(error);
  }

  @Test
  void takesNullForAbsentAndIgnoresWhatItDoesNotKnow() {
    var read =
        read(
            """
            {"input": null, "command": null, "checkpoint": null, "config": null, "context": null,
             "stream_mode": null, "after_seconds": null, "interrupt_after": null, "future": [1]}
            """);
    assertThat(read.work().input()).isEmpty();
    assertThat(read.work().command()).isEmpty();
    assertThat(read.work().checkpoint()).isEmpty();
    assertThat(read.settings().supersteps()).isEmpty();
    assertThat(read.settings().afterSeconds()).isEmpty();
    assertThat(read.stream().modes()).containsExactly(StreamMode.VALUES);
  }

  @Test
  void readsWhatClientsSend() {
    var read =
        read(
            """
            {"config": {"recursion_limit": 3, "configurable": {"thread_id": "t", "user": "u"}},
             "context": {"lang": "en"}, "after_seconds": 0.5, "stream_mode": "updates",
             "interrupt_before": ["a", "b"], "checkpoint": {"checkpoint_id": "c"}}
            """);
    assertThat(read.settings().supersteps()).contains(3);
    assertThat(read.settings().afterSeconds()).contains(1);
    assertThat(read.settings().variables())
        .isEqualTo(Json.read("{\"user\": \"u\", \"lang\": \"en\"}"));
    assertThat(read.stream().modes()).containsExactly(StreamMode.UPDATES);
    assertThat(read.work().checkpoint()).contains("c");
  }
}
