package dev.superstep.starter.langchain4j;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.ToolServiceContext;
import dev.langchain4j.spi.services.AiServiceContextFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stands before the models, tools and memories of all AI services, also of those that are agents
/// of a workflow. Outside of runs they do what they did before. LangChain4j finds it by itself.
public final class DurableServices implements AiServiceContextFactory {

  @Override
  public AiServiceContext create(Class<?> aiServiceClass) {
    return new DurableContext(aiServiceClass);
  }

  private static final class DurableContext extends AiServiceContext {
    DurableContext(Class<?> aiServiceClass) {
      super(aiServiceClass);
      toolService = new DurableToolService(this);
    }

    @Override
    public void initChatMemories(ChatMemory chatMemory) {
      super.initChatMemories(durable(chatMemory));
    }

    @Override
    public void initChatMemories(ChatMemoryProvider chatMemoryProvider) {
      super.initChatMemories((Object id) -> durable(chatMemoryProvider.get(id)));
    }

    private ChatMemory durable(ChatMemory memory) {
      return new DurableMemory(memory, aiServiceClass.getSimpleName());
    }

    /// The fields are set by whoever builds the service.
    void makeModelsDurable() {
      var model = chatModel;
      if (model != null && !(model instanceof DurableModel)) {
        chatModel = new DurableModel(model);
      }
      var streaming = streamingChatModel;
      if (streaming != null && !(streaming instanceof DurableStreamingModel)) {
        streamingChatModel = new DurableStreamingModel(streaming);
      }
    }
  }

  private static final class DurableToolService extends ToolService {
    private final DurableContext context;

    DurableToolService(DurableContext context) {
      this.context = context;
    }

    /// Each call of the service comes here, before it asks its model.
    @Override
    public ToolServiceContext createContext(
        InvocationContext invocationContext,
        @Nullable UserMessage userMessage,
        List<ChatMessage> messages) {
      context.makeModelsDurable();
      var created = super.createContext(invocationContext, userMessage, messages);
      return created.toolExecutors().isEmpty()
          ? created
          : created.toBuilder().toolExecutors(durable(created.toolExecutors())).build();
    }

    private static Map<String, ToolExecutor> durable(Map<String, ToolExecutor> executors) {
      var durable = new HashMap<String, ToolExecutor>();
      executors.forEach((name, executor) ->
          durable.put(
              name,
              executor instanceof DurableToolExecutor
                  ? executor
                  : new DurableToolExecutor(executor)));
      return durable;
    }
  }
}
