package dev.superstep.agent;

import dev.superstep.context.JavaContextFilter;
import dev.superstep.context.PromptContext;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Context filters as an extension has them. Two calls meet before either returns: filters that
/// were called one after the other would not.
final class TestFilters {
  private static final Map<String, CyclicBarrier> MEETINGS = new ConcurrentHashMap<>();
  final CountDownLatch interrupted = new CountDownLatch(1);

  /// Drops the variable `drop`, says in `seen.<name>` which variables it was given and in `shared`
  /// who it is.
  static JavaContextFilter named(String name) {
    return (context, config) -> {
      MEETINGS
          .computeIfAbsent(text(config, "meeting"), _ -> new CyclicBarrier(2))
          .await(10, TimeUnit.SECONDS);
      var keys = String.join(" ", context.variables().asMap().keySet().stream().sorted().toList());
      return new PromptContext(
          context.template(),
          context
              .variables()
              .minus(text(config, "drop"))
              .plus("seen." + name, Value.of(keys))
              .plus("shared", Value.of(name)),
          context.history(),
          context.times(),
          context.metadata());
    };
  }

  /// Never answers.
  JavaContextFilter mute() {
    return (context, _) -> {
      try {
        if (!new CountDownLatch(1).await(1, TimeUnit.MINUTES)) {
          throw new TimeoutException("not interrupted");
        }
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw e;
      }
      return context;
    };
  }

  private static String text(ObjectValue config, String key) {
    return config.get(key) instanceof Value.Text(var text) ? text : "";
  }
}
