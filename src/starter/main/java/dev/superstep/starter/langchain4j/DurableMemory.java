package dev.superstep.starter.langchain4j;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.superstep.node.AgentScope;
import dev.superstep.node.AgentScope.MemoryState;
import dev.superstep.state.value.Value;
import java.util.List;

/// A memory that an agent finds as it was, when it runs again from its beginning.
///
/// @param name of the service
record DurableMemory(ChatMemory memory, String name) implements ChatMemory, MemoryState {

  private ChatMemory rewound() {
    AgentScope.current().ifPresent(it -> it.rewind(name, String.valueOf(memory.id()), this));
    return memory;
  }

  @Override
  public Object id() {
    return memory.id();
  }

  @Override
  public void add(ChatMessage message) {
    rewound().add(message);
  }

  @Override
  public void add(Iterable<ChatMessage> messages) {
    rewound().add(messages);
  }

  @Override
  public void set(Iterable<ChatMessage> messages) {
    rewound().set(messages);
  }

  @Override
  public List<ChatMessage> messages() {
    return rewound().messages();
  }

  @Override
  public void clear() {
    rewound().clear();
  }

  @Override
  public Value read() {
    return MessageText.write(memory.messages());
  }

  @Override
  public void write(Value state) {
    var messages = MessageText.read(state);
    if (messages.isEmpty()) {
      memory.clear();
    } else {
      memory.set(messages);
    }
  }
}
