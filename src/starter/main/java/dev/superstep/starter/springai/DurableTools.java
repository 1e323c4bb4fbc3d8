package dev.superstep.starter.springai;

import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.ProxyFactory;

/// Puts durable tools into the options of a request. A chat client makes them of those of its
/// model, and calls the tools in them.
final class DurableTools {
  private static final String DERIVE = "mutate";
  private static final String BUILD = "build";

  private static final Logger log = LoggerFactory.getLogger(DurableTools.class);

  private DurableTools() {}

  /// Options like these, of which none are derived but with durable tools.
  static ChatOptions in(ChatOptions options) {
    try {
      return options instanceof ToolCallingChatOptions
          ? proxy(options, DurableTools::derive)
          : options;
    } catch (AopConfigException e) {
      log.debug("tools that are in options of {} only are no durable steps", options.getClass(), e);
      return options;
    }
  }

  private static @Nullable Object derive(MethodInvocation call) throws Throwable {
    var result = call.proceed();
    return call.getMethod().getName().equals(DERIVE) && result instanceof ChatOptions.Builder<?> it
        ? proxy(it, DurableTools::build)
        : result;
  }

  @SuppressWarnings("ReferenceEquality") // itself, for the next call
  private static @Nullable Object build(MethodInvocation call) throws Throwable {
    // Builders read each other's fields.
    var arguments = call.getArguments();
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] instanceof Advised proxy) {
        arguments[i] = proxy.getTargetSource().getTarget();
      }
    }
    var result = call.proceed();
    if (call.getMethod().getName().equals(BUILD)
        && result instanceof ToolCallingChatOptions options) {
      return durable(options);
    }
    return result == call.getThis() && call instanceof ProxyMethodInvocation it
        ? it.getProxy()
        : result;
  }

  /// With durable tools.
  static ToolCallingChatOptions durable(ToolCallingChatOptions options) {
    var tools = options.getToolCallbacks();
    return tools == null || tools.isEmpty()
        ? options
        : options.mutate().toolCallbacks(durable(tools)).build();
  }

  private static List<ToolCallback> durable(List<ToolCallback> tools) {
    return tools.stream().map(DurableToolCallback::of).toList();
  }

  @SuppressWarnings("unchecked")
  private static <T> T proxy(T target, MethodInterceptor interceptor) {
    var proxies = new ProxyFactory(target);
    proxies.setProxyTargetClass(true);
    proxies.addAdvice(interceptor);
    return (T) proxies.getProxy(DurableTools.class.getClassLoader());
  }
}
