package shop;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agentic.Agent;
import dev.langchain4j.agentic.AgenticServices;
import dev.langchain4j.agentic.UntypedAgent;
import dev.langchain4j.agentic.supervisor.SupervisorAgent;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.SystemMessage;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import dev.superstep.node.*;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.*;

/// Workflows of LangChain4j, as its page on agents shows them: a sequence with a loop in it, agents
/// side by side, and a supervisor.
@Configuration
public class Workflows {
  public interface CreativeWriter {
    @UserMessage(
        """
        You are a creative writer. Generate a draft of a story around the given topic.
        Return only the story and nothing else. The topic is {{topic}}.
        """)
    @Agent("Generates a story based on the given topic")
    String generateStory(@V("topic") String topic);
  }

  public interface StyleEditor {
    @UserMessage(
        """
        You are a professional editor. Analyze and rewrite the following story to better fit the
        {{style}} style. Return only the story and nothing else. The story is "{{story}}".
        """)
    @Agent("Edits a story to better fit a given style")
    String editStory(@V("story") String story, @V("style") String style);
  }

  public interface StyleScorer {
    @UserMessage(
        """
        You are a critical reviewer. Give a review score between 0.0 and 1.0 for the following
        story based on how well it aligns with the style '{{style}}'.
        Return only the score and nothing else. The story is: "{{story}}"
        """)
    @Agent("Scores a story based on how well it aligns with a given style")
    double scoreStyle(@V("story") String story, @V("style") String style);
  }

  public interface FoodExpert {
    @UserMessage(
        """
        You are a great evening planner. Propose a meal matching the given mood.
        The mood is {{mood}}.
        """)
    @Agent("Proposes a meal")
    String findMeal(@V("mood") String mood);
  }

  public interface MovieExpert {
    @UserMessage(
        """
        You are a great evening planner. Propose a movie matching the given mood.
        The mood is {{mood}}.
        """)
    @Agent("Proposes a movie")
    String findMovie(@V("mood") String mood);
  }

  public interface Buyer {
    @SystemMessage("You are a buyer that can only order fruit from a market.")
    @UserMessage("Order {{order}} and return what was ordered.")
    @Agent("A buyer that orders fruit from a market")
    String buy(@V("order") String order);
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
  ChatModel ofWorkflows(@Value("${model.url}") String url) {
    return OpenAiChatModel.builder().baseUrl(url).apiKey("none").modelName("gpt-4o-mini").build();
  }

  @Bean
  NodeFunction write(ChatModel model) {
    var writer =
        AgenticServices.agentBuilder(CreativeWriter.class)
            .chatModel(model)
            .outputKey("story")
            .build();
    var editor =
        AgenticServices.agentBuilder(StyleEditor.class).chatModel(model).outputKey("story").build();
    var scorer =
        AgenticServices.agentBuilder(StyleScorer.class).chatModel(model).outputKey("score").build();
    UntypedAgent review =
        AgenticServices.loopBuilder()
            .subAgents(scorer, editor)
            .maxIterations(5)
            .exitCondition(scope -> scope.readState("score", 0.0) >= 0.8)
            .build();
    UntypedAgent novel =
        AgenticServices.sequenceBuilder().subAgents(writer, review).outputKey("story").build();
    return (state, input, call) ->
        FunctionResult.done()
            .update(
                "answer", novel.invoke(Map.of("topic", state.text("question"), "style", "comedy")));
  }

  @Bean
  NodeFunction plan(ChatModel model) {
    var food =
        AgenticServices.agentBuilder(FoodExpert.class).chatModel(model).outputKey("meal").build();
    var movie =
        AgenticServices.agentBuilder(MovieExpert.class).chatModel(model).outputKey("movie").build();
    UntypedAgent evening =
        AgenticServices.parallelBuilder()
            .subAgents(food, movie)
            .outputKey("evening")
            .output(scope -> scope.readState("meal", "") + "|" + scope.readState("movie", ""))
            .build();
    return (state, input, call) -> {
      var found = (String) evening.invoke(Map.of("mood", state.text("question")));
      return FunctionResult.done().update("answer", found.substring(0, found.indexOf('|')));
    };
  }

  @Bean
  NodeFunction supervise(ChatModel model, Market market) {
    var buyer =
        AgenticServices.agentBuilder(Buyer.class)
            .chatModel(model)
            .tools(new Orders(market))
            .build();
    SupervisorAgent supervisor =
        AgenticServices.supervisorBuilder().chatModel(model).subAgents(buyer).build();
    return (state, input, call) ->
        FunctionResult.done().update("answer", supervisor.invoke(state.text("question")));
  }
}
