package dev.superstep.agent;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;

/// Tools as an extension has them.
class TestTools {
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch both = new CountDownLatch(2);

  @Tool(description = "Tells the weather of a city.")
  String weather(@ToolParam(description = "the city") String city, ToolContext context) {
    calls.add("weather %s %s".formatted(city, context.getContext().get("idempotency_key")));
    return "sunny in " + city;
  }

  @Tool(description = "Transfers money.")
  String transfer(String to, int amount) {
    calls.add("transfer %s %d".formatted(to, amount));
    return "transferred %d to %s".formatted(amount, to);
  }

  @Tool(description = "Pays, as the operator allows.")
  String pay(String to, int amount) {
    calls.add("pay %s %d".formatted(to, amount));
    return "paid %d to %s".formatted(amount, to);
  }

  @Tool(description = "Deletes, if a person approves.")
  String deleteFile(String name) {
    calls.add("delete " + name);
    return "deleted " + name;
  }

  @Tool(description = "Fails.")
  String fail(String how) {
    throw new IllegalStateException("it is " + how);
  }

  @Tool(description = "Says much.")
  String chatter(int chars) {
    return "x".repeat(chars);
  }

  /// Answers only if it is called twice at the same time.
  @Tool(description = "Meets another call.")
  String meet(String who) throws InterruptedException {
    both.countDown();
    return both.await(10, TimeUnit.SECONDS) ? who + " met" : who + " waited in vain";
  }

  List<String> calls(String prefix) {
    return calls.stream().filter(it -> it.startsWith(prefix)).toList();
  }
}
