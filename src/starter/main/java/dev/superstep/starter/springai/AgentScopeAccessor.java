package dev.superstep.starter.springai;

import dev.superstep.node.AgentScope;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/// Has Reactor carry the scope of an agent over the threads of a stream.
public final class AgentScopeAccessor implements ThreadLocalAccessor<AgentScope> {
  static final String KEY = "dev.superstep.agent";

  @Override
  public Object key() {
    return KEY;
  }

  @Override
  public @Nullable AgentScope getValue() {
    return AgentScope.current().orElse(null);
  }

  @Override
  public void setValue(AgentScope value) {
    AgentScope.bind(value);
  }

  @Override
  public void setValue() {
    AgentScope.bind(null);
  }
}
