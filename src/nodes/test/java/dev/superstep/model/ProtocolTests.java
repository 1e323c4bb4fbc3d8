package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.engine.run.CachedInput;
import dev.superstep.json.Json;
import dev.superstep.model.AnswerDraft.BrokenException;
import dev.superstep.model.ModelAnswer.ToolCall;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What providers are asked, word for word, and pieces of answers that servers other than theirs
/// send.
class ProtocolTests {
  private static final List<ObjectValue> CONVERSATION =
      Stream.of(
              "{'role':'system','content':'Be brief'}",
              "{'role':'user','content':[{'type':'text','text':'What is"
                  + " it?'},{'type':'image_url','image_url':{'url':'data:image/png;base64,QUJD'}}]}",
              "{'role':'assistant','content':'','tool_calls':[{'id':'a','name':'look','arguments':{'at':1}},{'id':'b','name':'look','arguments':'nowhere'}]}",
              "{'role':'tool','tool_call_id':'a','content':'a cat'}",
              "{'role':'tool','tool_call_id':'b','content':'nothing'}")
          .map(ProtocolTests::object)
          .toList();

  private final List<String> read = new ArrayList<>();
  private final AnswerDraft draft = new AnswerDraft("tiny", read::add);

  private static ObjectValue object(String text) {
    return (ObjectValue) Json.read(text.replace('\'', '"'));
  }

  private static ObjectValue body(Protocol protocol, List<ObjectValue> messages)
      throws ModelException {
    var schema = object("{'type':'object'}");
    var options = object("{'temperature':1,'top_k':3,'stop':'x','max_tokens':9,'seed':4}");
    var request =
        new ModelRequest(
            messages,
            List.of(new ToolOffer("look", "Looks", schema)),
            Optional.of(schema),
            options,
            new Delivery.Streamed(() -> _ -> {}));
    return protocol.body(
        new Protocol.ModelQuestion(
            "tiny", ChatMessage.of(messages), request, new ModelOptions(options)));
  }

  @Test
  void asksOpenAi() throws Exception {
    assertThat(body(new OpenAi(), CONVERSATION))
        .isEqualTo(
            object(
                """
                {'model':'tiny','stream':true,'stream_options':{'include_usage':true},
                 'temperature':1,'max_tokens':9,'seed':4,'stop':['x'],
                 'response_format':{'type':'json_schema','json_schema':{'name':'json_schema','strict':true,'schema':{'type':'object'}}},
                 'tools':[{'type':'function','function':{'name':'look','description':'Looks','parameters':{'type':'object'}}}],
                 'messages':[
                  {'role':'system','content':'Be brief'},
                  {'role':'user','content':[{'type':'text','text':'What is it?'},
                                            {'type':'image_url','image_url':{'url':'data:image/png;base64,QUJD'}}]},
                  {'role':'assistant','content':null,'tool_calls':[
                   {'id':'a','type':'function','function':{'name':'look','arguments':'{\\'at\\':1}'}},
                   {'id':'b','type':'function','function':{'name':'look','arguments':'nowhere'}}]},
                  {'role':'tool','tool_call_id':'a','content':'a cat'},
                  {'role':'tool','tool_call_id':'b','content':'nothing'}]}
                """));
  }

  @Test
  void asksAnthropic() throws Exception {
    assertThat(body(new Anthropic(PromptCache.OFF), CONVERSATION))
        .isEqualTo(
            object(
                """
                {'model':'tiny','stream':true,'system':'Be brief',
                 'temperature':1,'top_k':3,'max_tokens':9,'stop_sequences':['x'],
                 'output_config':{'format':{'type':'json_schema','schema':{'type':'object'}}},
                 'tools':[{'name':'look','description':'Looks','input_schema':{'type':'object'}}],
                 'messages':[
                  {'role':'user','content':[{'type':'image','source':{'type':'base64','media_type':'image/png','data':'QUJD'}},
                                            {'type':'text','text':'What is it?'}]},
                  {'role':'assistant','content':[
                   {'type':'tool_use','id':'a','name':'look','input':{'at':1}},
                   {'type':'tool_use','id':'b','name':'look','input':{'unreadable':'nowhere'}}]},
                  {'role':'user','content':[
                   {'type':'tool_result','tool_use_id':'a','content':'a cat'},
                   {'type':'tool_result','tool_use_id':'b','content':'nothing'}]}]}
                """));
  }

  @Test
  void marksWhatAnthropicIsToKeep() throws Exception {
    var request =
        new ModelRequest(
            CONVERSATION,
            List.of(
                new ToolOffer("look", "Looks", ObjectValue.empty()),
                new ToolOffer("see", "Sees", ObjectValue.empty())),
            Optional.empty(),
            ObjectValue.empty(),
            new Delivery.Whole());
    var question =
        new Protocol.ModelQuestion(
            "tiny",
            ChatMessage.of(CONVERSATION),
            request.lasting(OptionalInt.of(CONVERSATION.size())),
            new ModelOptions(ObjectValue.empty()));

    assertThat(new Anthropic(PromptCache.AUTO).body(question))
        .isEqualTo(
            object(
                """
                {'model':'tiny','max_tokens':4096,
                 'system':[{'type':'text','text':'Be brief','cache_control':{'type':'ephemeral'}}],
                 'tools':[{'name':'look','description':'Looks','input_schema':{}},
                          {'name':'see','description':'Sees','input_schema':{},'cache_control':{'type':'ephemeral'}}],
                 'messages':[
                  {'role':'user','content':[{'type':'image','source':{'type':'base64','media_type':'image/png','data':'QUJD'}},
                                            {'type':'text','text':'What is it?','cache_control':{'type':'ephemeral'}}]},
                  {'role':'assistant','content':[
                   {'type':'tool_use','id':'a','name':'look','input':{'at':1}},
                   {'type':'tool_use','id':'b','name':'look','input':{'unreadable':'nowhere'}}]},
                  {'role':'user','content':[
                   {'type':'tool_result','tool_use_id':'a','content':'a cat'},
                   {'type':'tool_result','tool_use_id':'b','content':'nothing','cache_control':{'type':'ephemeral'}}]}]}
                """));
  }

  @Test
  void asksOllama() throws Exception {
    assertThat(body(new Ollama(), CONVERSATION))
        .isEqualTo(
            object(
                """
                {'model':'tiny','stream':true,'format':{'type':'object'},
                 'options':{'temperature':1,'top_k':3,'num_predict':9,'seed':4,'stop':['x']},
                 'tools':[{'type':'function','function':{'name':'look','description':'Looks','parameters':{'type':'object'}}}],
                 'messages':[
                  {'role':'system','content':'Be brief'},
                  {'role':'user','content':'What is it?','images':['QUJD']},
                  {'role':'assistant','content':'','tool_calls':[
                   {'function':{'name':'look','arguments':{'at':1}}},
                   {'function':{'name':'look','arguments':{'unreadable':'nowhere'}}}]},
                  {'role':'tool','tool_name':'look','content':'a cat'},
                  {'role':'tool','tool_name':'look','content':'nothing'}]}
                """));
  }

  @Test
  void saysThatOllamaFetchesNoImages() {
    var named =
        object(
            "{'role':'user','content':[{'type':'image_url','image_url':{'url':'https://example.com/a.png'}}]}");

    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(() -> body(new Ollama(), List.of(named)))
        .withMessageContaining("data:image/png;base64");
  }

  private static String choice(String delta, String finish) {
    return "{\"choices\":[{\"delta\":%s,\"finish_reason\":%s}]}"
        .formatted(delta.replace('\'', '"'), finish);
  }

  /// Gemini and others send calls without their index.
  @Test
  void putsToolCallsWithoutAnIndexTogether() {
    var openAi = new OpenAi();
    openAi.readPiece(
        choice("{'tool_calls':[{'id':'a','function':{'name':'x','arguments':'{'}}]}", "null"),
        draft);
    openAi.readPiece(choice("{'tool_calls':[{'function':{'arguments':'}'}}]}", "null"), draft);
    openAi.readPiece(
        choice("{'tool_calls':[{'id':'b','function':{'name':'y','arguments':'{}'}}]}", "\"stop\""),
        draft);

    assertThat(openAi.readPiece("[DONE]", draft)).isTrue();
    assertThat(draft.finish().toolCalls())
        .containsExactly(new ToolCall("a", "x", "{}"), new ToolCall("b", "y", "{}"));
    assertThat(draft.finish().finishReason()).isEqualTo("tool_calls");
  }

  @Test
  void handsOnHalvesOfCharacters() {
    new OpenAi().readPiece(choice("{'content':'\\ud83d'}", "null"), draft);
    new OpenAi().readPiece(choice("{'content':'\\ude00'}", "\"stop\""), draft);

    assertThat(read).containsExactly("\ud83d", "\ude00");
    assertThat(draft.finish().text()).isEqualTo("😀");
  }

  @Test
  void takesTheProvidersWordForAnEndThatIsUnknown() {
    new OpenAi().readPiece(choice("{'content':'Hi'}", "\"Recitation\""), draft);

    assertThat(draft.finish().finishReason()).isEqualTo("recitation");
    assertThat(draft.finish().usage()).isEqualTo(new Usage(0, 0));
  }

  /// OpenAI counts what it has read from its cache as input, Anthropic beside it.
  @Test
  void countsCachedTokensAsInput() {
    new OpenAi()
        .readPiece(
            "{\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":2,"
                + "\"prompt_tokens_details\":{\"cached_tokens\":7,\"cache_write_tokens\":2}}}",
            draft);
    draft.endsFor("stop");
    assertThat(draft.finish().usage()).isEqualTo(new Usage(10, 2, new CachedInput(7, 2)));

    new Anthropic(PromptCache.OFF)
        .readPiece(
            "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3,\"output_tokens\":1,"
                + "\"cache_read_input_tokens\":8,\"cache_creation_input_tokens\":4}}}",
            draft);
    assertThat(draft.finish().usage()).isEqualTo(new Usage(15, 1, new CachedInput(8, 4)));

    // The end of a stream may repeat a part of it.
    new Anthropic(PromptCache.OFF)
        .readPiece(
            "{\"type\":\"message_delta\",\"delta\":{},\"usage\":{\"input_tokens\":5,"
                + "\"cache_read_input_tokens\":null,\"output_tokens\":9}}",
            draft);
    assertThat(draft.finish().usage()).isEqualTo(new Usage(17, 9, new CachedInput(8, 4)));
  }

  @Test
  void takesNoMoreFromACacheThanThereWas() {
    draft.takesInput(5);
    draft.takesCached(9);
    draft.endsFor("stop");
    assertThat(draft.finish().usage()).isEqualTo(new Usage(5, 0, new CachedInput(5, 0)));

    draft.takesCached(2);
    draft.takesWritten(9);
    assertThat(draft.finish().usage()).isEqualTo(new Usage(5, 0, new CachedInput(2, 3)));
  }

  /// Some servers say with status 200, and some within a stream, that they have failed.
  @Test
  void recognizesFailuresThatComeAsAnswers() {
    var busy = "{\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"Slow down\"}}";

    for (var protocol : List.of(new OpenAi(), new Anthropic(PromptCache.OFF), new Ollama())) {
      assertThatExceptionOfType(BrokenException.class)
          .isThrownBy(() -> protocol.readPiece(busy, draft))
          .withMessageContaining("Slow down")
          .extracting(BrokenException::code)
          .isEqualTo("model_rate_limited");
      assertThatExceptionOfType(BrokenException.class)
          .isThrownBy(() -> protocol.read(AnswerJson.read("{\"error\":\"out of memory\"}"), draft))
          .withMessageContaining("out of memory")
          .extracting(BrokenException::code)
          .isEqualTo("model_unavailable");
    }
  }

  /// Searches on Anthropic's side come in the same pieces as calls of tools.
  @Test
  void passesOverWhatAnthropicDoesItself() {
    var events =
        List.of(
            "{'type':'content_block_start','index':0,'content_block':{'type':'server_tool_use','id':'s','name':'web_search','input':{}}}",
            "{'type':'content_block_delta','index':0,'delta':{'type':'input_json_delta','partial_json':'{}'}}",
            "{'type':'content_block_start','index':1,'content_block':{'type':'thinking','thinking':'hm'}}",
            "{'type':'content_block_start','index':2,'content_block':{'type':'text','text':'Hi'}}",
            "{'type':'message_delta','delta':{'stop_reason':'end_turn'},'usage':{'output_tokens':3}}");
    events.forEach(it -> new Anthropic(PromptCache.OFF).readPiece(it.replace('\'', '"'), draft));

    assertThat(draft.finish().toolCalls()).isEmpty();
    assertThat(draft.finish().finishReason()).isEqualTo("stop");
    assertThat(draft.finish().text()).isEqualTo("Hi");
  }

  @Test
  void isNoAnswerWithoutAnEnd() {
    new Anthropic(PromptCache.OFF)
        .readPiece(
            "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"Hi\"}}",
            draft);

    assertThatExceptionOfType(BrokenException.class).isThrownBy(draft::finish);
  }
}
