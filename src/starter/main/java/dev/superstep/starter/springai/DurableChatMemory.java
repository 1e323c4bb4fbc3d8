package dev.superstep.starter.springai;

import dev.superstep.node.AgentScope;
import dev.superstep.node.AgentScope.MemoryState;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.concurrent.Callable;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.Message;

/// A memory that an agent finds as it was, when it runs again from its beginning.
///
/// @param name of the bean
record DurableChatMemory(ChatMemory memory, String name) implements ChatMemory {

  @Override
  public void add(String conversationId, List<Message> messages) {
    rewind(conversationId);
    outside(() -> {
      memory.add(conversationId, messages);
      return true;
    });
  }

  @Override
  public List<Message> get(String conversationId) {
    rewind(conversationId);
    return outside(() -> memory.get(conversationId));
  }

  @Override
  public void clear(String conversationId) {
    rewind(conversationId);
    outside(() -> {
      memory.clear(conversationId);
      return true;
    });
  }

  /// What it keeps its messages in needs no record of its own.
  private static <T> T outside(Callable<T> body) {
    return Unchecked.get(() -> AgentScope.outside(body));
  }

  private void rewind(String id) {
    AgentScope.current().ifPresent(it -> it.rewind(name, id, new Conversation(memory, id)));
  }

  private record Conversation(ChatMemory memory, String id) implements MemoryState {
    @Override
    public Value read() {
      return MessageCodec.write(outside(() -> memory.get(id)));
    }

    @Override
    public void write(Value state) {
      var messages = MessageCodec.read(state);
      outside(() -> {
        memory.clear(id);
        if (!messages.isEmpty()) {
          memory.add(id, messages);
        }
        return true;
      });
    }
  }
}
