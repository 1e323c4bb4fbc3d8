package dev.superstep.starter.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.content.Media;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.MimeTypeUtils;

class ResponseCodecTests {

  private static ChatResponse response() {
    var message =
        AssistantMessage.builder()
            .content("two of them")
            .properties(Map.of("index", 0, "refusal", "", "object", new Object()))
            .toolCalls(List.of(new ToolCall("1", "function", "order", "{\"boxes\":2}")))
            .build();
    var metadata = ChatGenerationMetadata.builder().finishReason("TOOL_CALLS").build();
    return new ChatResponse(
        List.of(new Generation(message, metadata)),
        ChatResponseMetadata.builder()
            .id("chatcmpl-1")
            .model("gpt-4o")
            .usage(new DefaultUsage(10, 5, 15, Map.of(), 4L, null))
            .keyValue("created", 1_700_000_000L)
            .build());
  }

  @Test
  void givesBackWhatAgentsUse() {
    var read = ResponseCodec.read(ResponseCodec.write(response()));

    var generation = read.getResults().getFirst();
    assertThat(generation.getOutput().getText()).isEqualTo("two of them");
    assertThat(generation.getOutput().getToolCalls())
        .containsExactly(new ToolCall("1", "function", "order", "{\"boxes\":2}"));
    assertThat(generation.getOutput().getMetadata()).containsEntry("index", 0);
    assertThat(generation.getMetadata().getFinishReason()).isEqualTo("TOOL_CALLS");
    assertThat(read.getMetadata().getModel()).isEqualTo("gpt-4o");
    assertThat(read.getMetadata().getUsage().getTotalTokens()).isEqualTo(15);
    assertThat(read.getMetadata().getUsage().getCacheReadInputTokens()).isEqualTo(4);
    assertThat(read.hasToolCalls()).isTrue();
  }

  @Test
  void keepsMessagesOfAllTypes() {
    List<Message> messages =
        List.of(
            new SystemMessage("be brief"),
            UserMessage.builder()
                .text("look")
                .media(
                    new Media(MimeTypeUtils.IMAGE_PNG, URI.create("https://example.com/a.png")),
                    Media.builder()
                        .mimeType(MimeTypeUtils.IMAGE_PNG)
                        .data(new byte[] {1, 2, 3})
                        .build())
                .build(),
            response().getResults().getFirst().getOutput(),
            ToolResponseMessage.builder()
                .responses(List.of(new ToolResponse("1", "order", "done")))
                .build());

    var read = MessageCodec.read(MessageCodec.write(messages));

    assertThat(read).hasSameSizeAs(messages);
    assertThat(read.get(0)).isEqualTo(messages.get(0));
    assertThat(((UserMessage) read.get(1)).getMedia().getLast().getDataAsByteArray())
        .containsExactly(1, 2, 3);
    assertThat(read.get(3)).isEqualTo(messages.get(3));
  }

  /// Also where a memory has kept less of the messages.
  @Test
  void knowsARequestByWhatTheModelSees() {
    List<Message> said =
        List.of(new UserMessage("order"), response().getResults().getFirst().getOutput());
    var kept = MessageCodec.read(Json.read(Json.write(MessageCodec.write(said))));

    assertThat(PromptText.of(new Prompt(kept))).isEqualTo(PromptText.of(new Prompt(said)));
    assertThat(PromptText.of(new Prompt(said.subList(0, 1))))
        .isNotEqualTo(PromptText.of(new Prompt(said)));
  }

  @Test
  void countsTheBytesOfImagesAsTheyAreWritten() {
    var image = new Media(MimeTypeUtils.IMAGE_PNG, new ByteArrayResource(new byte[3000]));
    var sound = new Media(MimeTypeUtils.parseMimeType("audio/mp3"), URI.create("https://e.org/a"));
    var plain = new Prompt(new UserMessage("look"));
    var seen = new Prompt(UserMessage.builder().text("look").media(image, sound).build());

    assertThat(PromptText.images(seen)).isEqualTo(2);
    assertThat(PromptText.imageBytes(seen)).isEqualTo(4000);
    assertThat(PromptText.of(seen).length() - PromptText.of(plain).length()).isBetween(4000, 4400);
    assertThat(PromptText.imageBytes(plain)).isZero();
  }
}
