package dev.superstep.starter.springai;

import dev.superstep.node.AgentCall;
import dev.superstep.node.AgentScope;
import dev.superstep.state.value.Value;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.metadata.ToolMetadata;
import org.springframework.util.StringUtils;

/// Each call of the tool is a step of the task whose agent calls it.
record DurableToolCallback(ToolCallback tool) implements ToolCallback {

  static ToolCallback of(ToolCallback tool) {
    return tool instanceof DurableToolCallback ? tool : new DurableToolCallback(tool);
  }

  @Override
  public String call(String toolInput) {
    return call(toolInput, "", () -> tool.call(toolInput));
  }

  @Override
  public String call(String toolInput, @Nullable ToolContext toolContext) {
    var context = toolContext == null ? "" : PromptText.of(toolContext.getContext());
    return call(toolInput, context, () -> tool.call(toolInput, toolContext));
  }

  private String call(String input, String context, Callable<String> body) {
    var scope = scope();
    if (scope.isEmpty()) {
      return Unchecked.get(body);
    }
    var name = getToolDefinition().name();
    var call = scope.get().begin(name, "%d:%s%s".formatted(input.length(), input, context));
    Optional<Value> known;
    try {
      known = call.known();
    } catch (RuntimeException e) {
      throw new ToolExecutionException(getToolDefinition(), e);
    }
    return text(known.orElseGet(() -> made(call, body)));
  }

  private static Value made(AgentCall call, Callable<String> body) {
    String result;
    try {
      result = Unchecked.get(() -> call.within(body));
    } catch (ToolExecutionException e) {
      // Of others Spring AI tells what is not recorded: such a call is made again.
      if (e.getCause() instanceof RuntimeException cause && StringUtils.hasText(e.getMessage())) {
        call.failed(cause);
      } else {
        call.dropped();
      }
      throw e;
    } catch (RuntimeException e) {
      call.dropped();
      throw e;
    }
    return call.ended(Value.of(PromptText.storable(Objects.requireNonNullElse(result, ""))));
  }

  /// Where the answer is streamed, tools are called by threads of Reactor.
  private static Optional<AgentScope> scope() {
    return AgentScope.current()
        .or(() ->
            ToolCallReactiveContextHolder.getContext()
                .<AgentScope>getOrEmpty(AgentScopeAccessor.KEY)
                .filter(AgentScope::isOpen));
  }

  private static String text(Value result) {
    return result instanceof Value.Text(var text) ? text : result.toString();
  }

  @Override
  public ToolDefinition getToolDefinition() {
    return tool.getToolDefinition();
  }

  @Override
  public ToolMetadata getToolMetadata() {
    return tool.getToolMetadata();
  }
}
