package dev.superstep.langgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.Change;
import dev.superstep.state.Channel;
import dev.superstep.state.Channels;
import dev.superstep.state.Reducer;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageChannelsTests {
  private final MessageChannels channels =
      MessageChannels.of(
          Channels.of(
              List.of(
                  new Channel(
                      "messages",
                      new Reducer.Messages(),
                      Optional.empty(),
                      false,
                      Optional.of("all"),
                      Channel.OnConflict.LAST,
                      ValueCheck.NONE),
                  Channel.of("all", new Reducer.BlockAppend()),
                  Channel.of("notes", new Reducer.Append()))));

  private static ObjectValue json(String text) {
    return (ObjectValue) Json.read(text.replace('\'', '"'));
  }

  private Value read(String messages) {
    var change = channels.toChange(json("{'messages': " + messages + "}"), "/input");
    return Objects.requireNonNull(change.update().get("messages"));
  }

  @Test
  void writesMessagesOfTheirChannelsOnly() {
    var message = "{'role': 'user', 'content': 'hi', 'id': 'm-1'}";
    var state =
        json(
            "{'messages': [%s], 'all': [%s], 'notes': [%s], 'n': 1}"
                .formatted(message, message, message));

    var wire = channels.toWire(state);

    var human =
        json(
            "{'type': 'human', 'content': 'hi', 'id': 'm-1', 'additional_kwargs': {},"
                + " 'response_metadata': {}}");
    assertThat(wire.get("messages")).isEqualTo(ListValue.of(human));
    assertThat(wire.get("all")).isEqualTo(ListValue.of(human));
    assertThat(wire.get("notes")).isEqualTo(ListValue.of(json(message)));
    assertThat(wire.get("n")).isEqualTo(Value.of(1));
  }

  @Test
  void writesAnswersOfModelsWithCallsAndUsage() {
    var wire =
        new WireMessage(
                json(
                    "{'role': 'assistant', 'id': 'm-2', 'tool_calls': [{'id': 'c', 'name': 'find',"
                        + " 'arguments': {'q': 1}}, {'id': 'd', 'name': 'find', 'arguments':"
                        + " 'q='}], 'metadata': {'model': 'm', 'finish_reason': 'tool_calls',"
                        + " 'usage': {'input_tokens': 3, 'output_tokens': 4,"
                        + " 'cached_input_tokens': 2, 'cache_write_tokens': 1}, 'own': 1}}"))
            .json();

    assertThat(wire)
        .isEqualTo(
            json(
                "{'type': 'ai', 'content': '', 'id': 'm-2', 'tool_calls': [{'id': 'c', 'name':"
                    + " 'find', 'args': {'q': 1}, 'type': 'tool_call'}], 'invalid_tool_calls':"
                    + " [{'id': 'd', 'name': 'find', 'args': 'q=', 'error': null, 'type':"
                    + " 'invalid_tool_call'}], 'usage_metadata': {'input_tokens': 3,"
                    + " 'output_tokens': 4, 'total_tokens': 7, 'input_token_details':"
                    + " {'cache_read': 2, 'cache_creation': 1}}, 'response_metadata': {'model_name':"
                    + " 'm', 'finish_reason': 'tool_calls'}, 'additional_kwargs': {'own': 1}}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'role': 'user', 'content': 'hi', 'id': 'm-1'}",
        "{'role': 'system', 'content': 'be kind', 'name': 'boss', 'metadata': {'summary': true}}",
        "{'role': 'user', 'content': [{'type': 'text', 'text': 'see'}, {'type': 'image_url',"
            + " 'image_url': {'url': 'data:'}}], 'id': 'm-1'}",
        "{'role': 'assistant', 'content': 'yes', 'metadata': {'model': 'm', 'finish_reason':"
            + " 'stop', 'usage': {'input_tokens': 1, 'output_tokens': 2}}}",
        "{'role': 'assistant', 'content': 'yes', 'metadata': {'usage': {'input_tokens': 1,"
            + " 'output_tokens': 2, 'total_tokens': 9}}}",
        "{'role': 'assistant', 'content': 'yes', 'metadata': {'usage': {'input_tokens': 3,"
            + " 'output_tokens': 2, 'cached_input_tokens': 2, 'cache_write_tokens': 0}}}",
        "{'role': 'assistant', 'content': 'yes', 'metadata': {'usage': 'much', 'model': 3}}",
        "{'role': 'assistant', 'tool_calls': [{'id': 'c', 'name': 'f', 'arguments': {}},"
            + " {'id': 'd', 'name': 'f', 'arguments': 'no json'}]}",
        "{'role': 'tool', 'content': 'found', 'tool_call_id': 'c', 'name': 'f'}",
        "{'role': 'tool', 'content': 'no', 'tool_call_id': 'c', 'name': 'f', 'is_error': true,"
            + " 'metadata': {'code': 'rejected', 'artifact': {'rows': 2}}}",
        "{'role': 'user', 'content': '', 'metadata': {'additional_kwargs': {'model': 'x'}}}",
        "{'role': 'user', 'content': 'x', 'metadata': {'artifact': 1, 'usage': {'input_tokens':"
            + " 1, 'output_tokens': 1}}}"
      })
  void losesNothingOnTheWayOutAndBack(String message) {
    var state = ObjectValue.of("messages", ListValue.of(json(message)));

    var back = channels.toChange(channels.toWire(state), "");

    assertThat(back).isEqualTo(Change.update(state));
  }

  @Test
  void losesNothingOfWhatAClientSends() {
    var sent =
        json(
            "{'type': 'ai', 'content': 'hm', 'id': 'x', 'name': 'helper', 'tool_calls': [],"
                + " 'invalid_tool_calls': [{'id': null, 'name': 'f', 'args': '{', 'error': 'bad',"
                + " 'type': 'invalid_tool_call'}],"
                + " 'usage_metadata': {'input_tokens': 1, 'output_tokens': 2, 'total_tokens': 3,"
                + " 'input_token_details': {'cache_read': 1}},"
                + " 'response_metadata': {'model_name': 'm', 'system_fingerprint': 'f'},"
                + " 'additional_kwargs': {'model': 'other', 'refusal': null}}");

    var held = read("[" + Json.write(sent) + "]");

    assertThat(WireMessage.json(held)).isEqualTo(ListValue.of(sent));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "'hi' | [{'role': 'user', 'content': 'hi'}]",
        "['hi', 'you'] | [{'role': 'user', 'content': 'hi'}, {'role': 'user', 'content': 'you'}]",
        "{'type': 'human', 'content': 'hi'} | [{'role': 'user', 'content': 'hi'}]",
        "[{'role': 'user', 'content': 'hi', 'id': null}] | [{'role': 'user', 'content': 'hi'}]",
        "[['assistant', 'hi']] | [{'role': 'assistant', 'content': 'hi'}]",
        "[{'role': 'developer', 'content': 'x'}] | [{'role': 'system', 'content': 'x'}]",
        "[{'type': 'human', 'content': ['a']}] |"
            + " [{'role': 'user', 'content': [{'type': 'text', 'text': 'a'}]}]",
        "[{'lc': 1, 'type': 'constructor', 'id': ['langchain_core', 'messages', 'HumanMessage'],"
            + " 'kwargs': {'content': 'hi', 'id': 'm'}}] |"
            + " [{'role': 'user', 'content': 'hi', 'id': 'm'}]",
        "[{'type': 'AIMessageChunk', 'content': 'x', 'unknown': 1}] |"
            + " [{'role': 'assistant', 'content': 'x'}]"
      })
  void takesMessagesInManyForms(String sent, String held) {
    assertThat(read(sent)).isEqualTo(Json.read(held.replace('\'', '"')));
  }

  @Test
  void readsArgumentsThatAreJsonInAText() {
    var call =
        ObjectValue.of("id", Value.of("c"))
            .plus(
                "function",
                ObjectValue.of("name", Value.of("f")).plus("arguments", Value.of("{\"a\": 1}")));
    assertThat(WireToolCalls.read(ListValue.of(call), ""))
        .isEqualTo(ListValue.of(json("{'id': 'c', 'name': 'f', 'arguments': {'a': 1}}")));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "7 | /input/messages",
        "[{'type': 'human', 'content': 'a'}, true] | /input/messages/1",
        "[{'type': 'narrator', 'content': 'a'}] | /input/messages/0/type",
        "[{'content': 'a'}] | /input/messages/0/role",
        "[{'type': 'human', 'content': 5}] | /input/messages/0/content",
        "[{'type': 'human', 'content': [5]}] | /input/messages/0/content/0",
        "[{'type': 'ai', 'content': '', 'tool_calls': {}}] | /input/messages/0/tool_calls",
        "[{'type': 'ai', 'content': '', 'tool_calls': [{'id': null, 'name': 'f', 'args': {}}]}] |"
            + " /input/messages/0/tool_calls/0/id",
        "[{'type': 'remove'}] | /input/messages/0/id",
        "[['a', 'b', 'c']] | /input/messages/0"
      })
  void saysWhereSomethingIsNoMessage(String messages, String pointer) {
    assertThatThrownBy(() -> read(messages))
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> {
              assertThat(it.code().status().value()).isEqualTo(422);
              assertThat(it.errors()).singleElement().extracting("pointer").isEqualTo(pointer);
            });
  }

  @Test
  void removesMessages() {
    var sent =
        json(
            "{'messages': [{'type': 'remove', 'id': 'a'}, {'type': 'remove', 'id': 'b'},"
                + " {'type': 'human', 'id': 'b', 'content': 'again'}]}");

    assertThat(channels.toChange(sent, ""))
        .isEqualTo(
            new Change(
                List.of(),
                List.of("a"),
                ObjectValue.empty(),
                json("{'messages': [{'role': 'user', 'id': 'b', 'content': 'again'}]}")));
    assertThat(channels.toChange(json("{'messages': [{'type': 'remove', 'id': 'a'}], 'n': 1}"), ""))
        .isEqualTo(new Change(List.of(), List.of("a"), ObjectValue.empty(), json("{'n': 1}")));
  }

  @Test
  void replacesAllMessages() {
    var sent =
        json(
            "{'messages': [{'type': 'human', 'content': 'lost'}, {'type': 'remove', 'id':"
                + " '__remove_all__'}, {'type': 'human', 'content': 'kept'}], 'n': 1}");

    assertThat(channels.toChange(sent, ""))
        .isEqualTo(
            new Change(
                List.of(),
                List.of(),
                json("{'messages': [{'role': 'user', 'content': 'kept'}]}"),
                json("{'n': 1}")));
  }

  @Test
  void takesUpdatesAsPairs() {
    var pairs = Json.read("[[\"messages\", \"hi\"], [\"n\", 1]]");

    assertThat(channels.toChange(pairs, "").update())
        .isEqualTo(json("{'messages': [{'role': 'user', 'content': 'hi'}], 'n': 1}"));
    assertThatThrownBy(() -> channels.toChange(Value.of("n"), "/command/update"))
        .isInstanceOf(ServiceException.class)
        .hasMessageContaining("/command/update");
  }

  @Test
  void writesWhatATaskHasChanged() {
    var change =
        new Change(
            List.of("draft"),
            List.of("a"),
            json("{'n': 2}"),
            json("{'messages': [{'role': 'user', 'content': 'hi'}], 'notes': 'x'}"));

    var wire = (ObjectValue) channels.toWire(change);

    assertThat(wire.get("draft")).isEqualTo(Value.NULL);
    assertThat(wire.get("n")).isEqualTo(Value.of(2));
    assertThat(wire.get("notes")).isEqualTo(Value.of("x"));
    assertThat((ListValue) wire.getOr("messages", Value.NULL))
        .extracting(it -> ((ObjectValue) it).get("type"))
        .containsExactly(Value.of("remove"), Value.of("human"));
    assertThat(channels.toWire(Change.NONE)).isEqualTo(Value.NULL);
  }
}
