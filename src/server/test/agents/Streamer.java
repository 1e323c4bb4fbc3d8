package shop;

import dev.superstep.node.*;
import java.util.Map;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.context.annotation.*;

/// Streams its answers, has a client of its own, a context of its tools, and a second question.
@Configuration
public class Streamer {
  public static class Orders {
    private final Market market;

    Orders(Market market) {
      this.market = market;
    }

    @Tool(description = "Orders boxes of a fruit")
    public String order(String fruit, int boxes, ToolContext context) {
      if (!context.getContext().get("shop").equals("ours")) {
        throw new IllegalStateException("no context");
      }
      return market.order(fruit, boxes);
    }
  }

  @Bean
  NodeFunction stream(ChatModel model, ChatMemory memory, Market market) {
    var client =
        ChatClient.builder(model)
            .defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
            .build();
    return (state, input, call) -> {
      for (var question : new String[] {"first", "second"}) {
        var answer =
            String.join(
                "",
                client
                    .prompt()
                    .user(state.text("question") + question)
                    .tools(new Orders(market))
                    .toolContext(Map.of("shop", "ours"))
                    .advisors(it -> it.param(ChatMemory.CONVERSATION_ID, call.run().id()))
                    .stream()
                    .content()
                    .collectList()
                    .block());
        if (question.equals("second")) {
          return FunctionResult.done().update("answer", answer);
        }
      }
      throw new IllegalStateException();
    };
  }
}
