package dev.superstep.starter.springai;

import dev.superstep.node.AgentScope;
import java.util.List;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.definition.ToolDefinition;

/// Calls durable tools, also for code that calls tools itself.
record DurableToolCallingManager(ToolCallingManager manager) implements ToolCallingManager {

  @Override
  public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
    return manager.resolveToolDefinitions(chatOptions);
  }

  @Override
  public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
    if (AgentScope.current().isPresent()
        && prompt.getOptions() instanceof ToolCallingChatOptions options) {
      var durable = new Prompt(prompt.getInstructions(), DurableTools.durable(options));
      return manager.executeToolCalls(durable, chatResponse);
    }
    return manager.executeToolCalls(prompt, chatResponse);
  }
}
