package dev.superstep.starter.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.superstep.node.AgentCall;
import dev.superstep.node.AgentScope;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Each call of the tool is a step of the task whose agent calls it.
record DurableToolExecutor(ToolExecutor tool) implements ToolExecutor {

  @Override
  public String execute(ToolExecutionRequest request, Object memoryId) {
    var call = begin(request);
    return call.isEmpty()
        ? tool.execute(request, memoryId)
        : made(
                call.get(),
                request,
                () ->
                    ToolExecutionResult.builder()
                        .resultText(tool.execute(request, memoryId))
                        .build())
            .resultText();
  }

  @Override
  public ToolExecutionResult executeWithContext(
      ToolExecutionRequest request, InvocationContext context) {
    var call = begin(request);
    return call.isEmpty()
        ? tool.executeWithContext(request, context)
        : made(call.get(), request, () -> tool.executeWithContext(request, context));
  }

  private static Optional<AgentCall> begin(ToolExecutionRequest request) {
    return AgentScope.current()
        .map(it ->
            it.begin(
                request.name(),
                List.of(String.valueOf(request.id()), String.valueOf(request.arguments()))
                    .toString()));
  }

  @FunctionalInterface
  private interface ToolBody {
    ToolExecutionResult call();
  }

  private static ToolExecutionResult made(
      AgentCall call, ToolExecutionRequest request, ToolBody body) {
    var known = call.known();
    if (known.isPresent()) {
      return MessageText.result(known.get());
    }
    ToolExecutionResult result;
    try {
      result = call.within(body::call);
    } catch (ToolArgumentsException e) {
      call.dropped(); // nothing was called
      throw e;
    } catch (RuntimeException e) {
      call.failed(readable(e));
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    var text = MessageText.write(request, result);
    return call.ended(text).equals(text) ? result : MessageText.result(text);
  }

  /// With the message that the model reads of it.
  private static RuntimeException readable(RuntimeException failure) {
    var cause = Objects.requireNonNullElse(failure.getCause(), failure);
    var message = cause.getMessage();
    return new IllegalStateException(
        message == null || message.isBlank() ? cause.getClass().getName() : message, failure);
  }
}
