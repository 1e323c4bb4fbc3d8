package dev.superstep.durable.extension;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.superstep.json.Json;
import dev.superstep.node.FunctionCall;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeException;
import dev.superstep.node.NodeFunction;
import dev.superstep.node.StepException;
import dev.superstep.node.Steps;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;

/// The functions of `resources/durable`, by name. Each returns what goes to the channel `result`.
/// Not annotated, so that no other test finds them.
public class DurableFunctions {
  private static final Logger LOG = LoggerFactory.getLogger(DurableFunctions.class);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @FunctionalInterface
  interface Body {
    @Nullable Object run(Scene it) throws Exception;
  }

  /// What a function has at hand.
  record Scene(GraphState state, FunctionCall call) {
    Steps steps() {
      return call.steps();
    }

    /// A step that asks the service of the case.
    Value step(String name) throws InterruptedException {
      return steps().run(name, Value.class, () -> ask(name));
    }

    /// How long the functions that sleep do.
    void sleep(String name) throws InterruptedException {
      steps().sleep(name, Duration.parse(call.arguments().text("sleep", "PT0.3S")));
    }

    Value ask(String name) throws IOException, InterruptedException {
      var url = URI.create(call.arguments().text("url") + "/" + name);
      var request = HttpRequest.newBuilder(url).POST(BodyPublishers.ofString("\"done\"")).build();
      var answer = HTTP.send(request, BodyHandlers.ofString());
      var body = Json.read(answer.body());
      if (answer.statusCode() == 200) {
        return body;
      }
      var code = ((ObjectValue) body).text("code");
      throw answer.statusCode() == 503
          ? NodeException.retryable(code, code)
          : NodeException.permanent(code, code);
    }
  }

  private static NodeFunction function(Body body) {
    return (state, _, call) ->
        FunctionResult.done().update("result", body.run(new Scene(state, call)));
  }

  @Bean
  NodeFunction greets() {
    return function(it ->
        it.steps()
            .run(
                it.call().arguments().text("step", "greet"),
                String.class,
                () -> {
                  Value _ = it.ask("greet");
                  return "Hello, %s!".formatted(it.state().text("name"));
                }));
  }

  @Bean
  NodeFunction secondUsesFirst() {
    return function(it -> {
      var first =
          it.steps().run("first", String.class, () -> ((Value.Text) it.ask("first")).value());
      return it.steps()
          .run("second", String.class, () -> first + "_" + ((Value.Text) it.ask("second")).value());
    });
  }

  record Account(Holder user, int count) {
    record Holder(String name, List<String> tags) {}
  }

  @Bean
  NodeFunction returnsRecord() {
    return function(it -> {
      var tags = it.state().texts("tags");
      var account =
          it.steps()
              .run(
                  "account",
                  Account.class,
                  () ->
                      new Account(new Account.Holder(it.state().text("name"), tags), tags.size()));
      var user = account.user();
      return Map.of(
          "user", Map.of("name", user.name(), "tags", user.tags()), "count", account.count());
    });
  }

  @Bean
  NodeFunction returnsNothing() {
    return function(it -> {
      it.steps().run("nothing", () -> it.ask("nothing"));
      return null;
    });
  }

  /// Written in capitals, and read as it is written.
  record Shout(@JsonValue String text) {
    @JsonCreator
    static Shout read(String text) {
      return new Shout(text);
    }

    static Shout of(String text) {
      return new Shout(text.toUpperCase(Locale.ROOT));
    }
  }

  @Bean
  NodeFunction returnsOwnForm() {
    return function(
        it -> it.steps().run("shout", Shout.class, () -> Shout.of(it.state().text("text"))).text());
  }

  @Bean
  NodeFunction logs() {
    return function(it -> {
      var name = it.state().text("name");
      return it.steps()
          .run(
              "greet",
              String.class,
              () -> {
                LOG.info("begins to greet {}", name);
                LOG.info("has greeted {}", name);
                return "Hello, %s!".formatted(name);
              });
    });
  }

  @Bean
  NodeFunction stepThenSleep() {
    return function(it -> {
      var computed = it.step("compute");
      it.sleep("pause");
      return computed;
    });
  }

  @Bean
  NodeFunction failureThenSleep() {
    return function(it -> {
      var code = "none";
      try {
        Value _ = it.step("charge");
      } catch (StepException e) {
        code = e.code();
      }
      it.sleep("pause");
      return code;
    });
  }

  @Bean
  NodeFunction oneStep() {
    return function(it -> it.step("work"));
  }

  @Bean
  NodeFunction once() {
    return function(it -> it.steps().once("work", Value.class, () -> it.ask("work")));
  }

  /// Each attempt is a step of its own, which is made once at most.
  @Bean
  NodeFunction onceForEachAttempt() {
    return function(it -> {
      for (int attempt = 1; ; attempt++) {
        try {
          return it.steps().once("work-" + attempt, Value.class, () -> it.ask("work"));
        } catch (StepException e) {
          if (!e.code().equals("unknown_outcome") || attempt == 3) {
            throw e;
          }
        }
      }
    });
  }

  @Bean
  NodeFunction fallsBack() {
    return function(it -> {
      try {
        return it.step("charge");
      } catch (StepException e) {
        return it.step("fallback");
      }
    });
  }

  /// What is small is recorded, and what is large is made of it again.
  @Bean
  NodeFunction largeOfSmall() {
    return function(it -> {
      LOG.info("makes much of {}", it.state().text("value"));
      var small = ((Value.Text) it.step("small")).value();
      var large = small.repeat(300_000);
      it.sleep("pause");
      return large.length();
    });
  }

  @Bean
  NodeFunction logsOutsideOfSteps() {
    return function(it -> {
      var value = it.state().text("value");
      LOG.info("was given {}", value);
      return value;
    });
  }

  /// Tells somebody, and waits for the answer.
  @Bean
  NodeFunction asks() {
    return function(it -> {
      Value _ = it.step("submit");
      return it.steps().ask("answer", Value.class, FunctionResult.interrupt("callback", null));
    });
  }

  @Bean
  NodeFunction asksTwice() {
    return function(it -> {
      var answers = new ArrayList<@Nullable Value>();
      for (var name : List.of("first", "second")) {
        Value _ = it.step("submit-" + name);
        answers.add(it.steps().ask(name, Value.class, FunctionResult.interrupt(name, null)));
      }
      return answers;
    });
  }

  @Bean
  NodeFunction sleepsAndAsks() {
    return function(it -> {
      it.sleep("pause");
      Value _ = it.step("data");
      Value _ = it.step("submit");
      return it.steps().ask("answer", Value.class, FunctionResult.interrupt("callback", null));
    });
  }

  record Ruling(String status) {}

  @Bean
  NodeFunction asksForRecord() {
    return function(it -> {
      Value _ = it.step("submit");
      var question = FunctionResult.interrupt("callback", null);
      var ruling = it.steps().ask("answer", Ruling.class, question);
      return ruling == null ? null : ruling.status();
    });
  }

  private static long poll(Scene it, String name, long from, long to) throws InterruptedException {
    long count = from;
    while (true) {
      long before = count;
      count =
          it.steps()
              .run(
                  name,
                  Long.class,
                  () -> {
                    Value _ = it.ask(name);
                    return before + 1;
                  });
      if (count >= to) {
        return count;
      }
      it.sleep(name + "-pause");
    }
  }

  @Bean
  NodeFunction pollsThenWorks() {
    return function(it -> {
      long count = poll(it, "check", 0, it.state().whole("threshold"));
      return it.steps().run("multiply", Long.class, () -> count * 10);
    });
  }

  @Bean
  NodeFunction pollsTwice() {
    return function(it -> poll(it, "second", poll(it, "first", 0, 2), 4));
  }

  /// Written as `{"wrapped": …}`.
  record Wrapped(String wrapped) {}

  @Bean
  NodeFunction wrapsEach() {
    return function(it ->
        it.steps().all("branch", it.state().texts("items"), Wrapped.class, Wrapped::new).stream()
            .map(Wrapped::wrapped)
            .toList());
  }

  /// Calls branch after branch, until what the arguments say is decided: `min_succeeded`,
  /// `tolerated_failures`, or `tolerated_percent` of all.
  @Bean
  NodeFunction branches() {
    return function(it -> {
      var policy = it.call().arguments();
      var branches = policy.texts("branches");
      long tolerated =
          policy.whole(
              "tolerated_failures", policy.whole("tolerated_percent", 100) * branches.size() / 100);
      var failures = new ArrayList<StepException>();
      int begun = 0;
      for (var branch : branches) {
        begun++;
        try {
          Value _ = it.step(branch);
        } catch (StepException e) {
          failures.add(e);
        }
        if (failures.size() > tolerated
            || begun - failures.size() == policy.whole("min_succeeded", branches.size() + 1L)) {
          break;
        }
      }
      if (policy.flag("throws", false) && !failures.isEmpty()) {
        throw failures.getFirst();
      }
      return Map.of(
          "reason",
          reason(failures.size() > tolerated, begun == branches.size()),
          "succeeded",
          begun - failures.size(),
          "failed",
          failures.size(),
          "total",
          begun);
    });
  }

  private static String reason(boolean exceeded, boolean all) {
    if (exceeded) {
      return "failures_exceeded";
    }
    return all ? "all_completed" : "min_succeeded";
  }
}
