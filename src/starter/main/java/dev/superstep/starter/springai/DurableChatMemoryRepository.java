package dev.superstep.starter.springai;

import dev.superstep.node.AgentScope;
import dev.superstep.node.AgentScope.MemoryState;
import dev.superstep.state.value.Value;
import java.util.List;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.Message;

/// What memories keep, which an agent finds as it was, when it runs again from its beginning.
///
/// @param name of the bean
record DurableChatMemoryRepository(ChatMemoryRepository repository, String name)
    implements ChatMemoryRepository {

  @Override
  public List<String> findConversationIds() {
    return repository.findConversationIds();
  }

  @Override
  public List<Message> findByConversationId(String conversationId) {
    rewind(conversationId);
    return repository.findByConversationId(conversationId);
  }

  @Override
  public void saveAll(String conversationId, List<Message> messages) {
    rewind(conversationId);
    repository.saveAll(conversationId, messages);
  }

  @Override
  public void deleteByConversationId(String conversationId) {
    rewind(conversationId);
    repository.deleteByConversationId(conversationId);
  }

  private void rewind(String id) {
    AgentScope.current().ifPresent(it -> it.rewind(name, id, new KeptConversation(repository, id)));
  }

  private record KeptConversation(ChatMemoryRepository repository, String id)
      implements MemoryState {
    @Override
    public Value read() {
      return MessageCodec.write(repository.findByConversationId(id));
    }

    @Override
    public void write(Value state) {
      var messages = MessageCodec.read(state);
      if (messages.isEmpty()) {
        repository.deleteByConversationId(id);
      } else {
        repository.saveAll(id, messages);
      }
    }
  }
}
