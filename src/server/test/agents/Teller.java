package shop;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import dev.superstep.node.*;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.*;

/// Streams its answers with LangChain4j, with tools and a memory.
@Configuration
public class Teller {
  interface Assistant {
    TokenStream chat(@MemoryId String conversation, @UserMessage String message);
  }

  public static class Orders {
    private final Market market;

    Orders(Market market) {
      this.market = market;
    }

    @Tool("Orders boxes of a fruit")
    public String order(@P("fruit") String fruit, @P("boxes") int boxes) {
      return market.order(fruit, boxes);
    }
  }

  @Bean
  NodeFunction tell(@Value("${model.url}") String url, Market market) {
    var assistant =
        AiServices.builder(Assistant.class)
            .streamingChatModel(
                OpenAiStreamingChatModel.builder()
                    .baseUrl(url)
                    .apiKey("none")
                    .modelName("gpt-4o-mini")
                    .build())
            .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(20))
            .tools(new Orders(market))
            .build();
    return (state, input, call) -> {
      var response = new CompletableFuture<ChatResponse>();
      assistant
          .chat(call.run().id(), state.text("question"))
          .onPartialResponse(it -> {})
          .onCompleteResponse(response::complete)
          .onError(response::completeExceptionally)
          .start();
      return FunctionResult.done().update("answer", response.get().aiMessage().text());
    };
  }
}
