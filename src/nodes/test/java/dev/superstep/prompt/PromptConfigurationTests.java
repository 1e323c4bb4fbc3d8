package dev.superstep.prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.context.ContextCache;
import dev.superstep.context.ContextCondition;
import dev.superstep.context.ContextLibrary;
import dev.superstep.context.ContextProcessor;
import dev.superstep.context.ContextTransform;
import dev.superstep.context.JavaContextFilter;
import dev.superstep.context.PromptContext;
import dev.superstep.context.Transforms;
import dev.superstep.prompt.PromptConfiguration.KeptViews;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.unit.DataSize;

class PromptConfigurationTests {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withUserConfiguration(PromptConfiguration.class)
          .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
          .withBean(
              ContextCondition.Compiler.class,
              () -> source -> new ContextCondition(source, (_, _) -> true));

  private static ContextCache.ViewKey key(String content) {
    return new ContextCache.ViewKey(content, "rules", new BitSet());
  }

  private static PromptContext context(int chars) {
    return PromptContext.EMPTY.plusVariables(ObjectValue.of("k", Value.of("x".repeat(chars))));
  }

  /// P6, P14, S4-25: beans are registered by their names, those of extension jars among them.
  @Test
  void registersTheBeansOfUsers() {
    runner
        .withBean("shout", ContextTransform.class, () -> (value, _) -> value)
        .withBean("custom_llm", ContextProcessor.class, () -> (context, _) -> context)
        .withBean("moderation", JavaContextFilter.class, () -> (context, _) -> context)
        .run(context -> {
          var library = context.getBean(ContextLibrary.class);
          assertThat(library.processors().find("custom_llm")).isPresent();
          assertThat(library.filters()).containsOnlyKeys("moderation");
          assertThat(library.transforms().all())
              .extracting(Transforms.TransformDescription::name)
              .contains("shout", "mask");
        });
  }

  /// P6, P14: a name that a built-in has stops the start.
  @Test
  void doesNotStartWithTheNameOfABuiltIn() {
    runner
        .withBean("mask", ContextTransform.class, () -> (value, _) -> value)
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("cannot be replaced"));
    runner
        .withBean("llm_context", ContextProcessor.class, () -> (it, _) -> it)
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("cannot be replaced"));
  }

  /// P14: so does a name that two have, as far as Spring can see both.
  @Test
  void doesNotStartWithANameThatTwoHave() {
    runner
        .withBean("mine", ContextProcessor.class, () -> (it, _) -> it)
        .withBean("mine", ContextProcessor.class, () -> (it, _) -> it)
        .run(context -> assertThat(context).hasFailed());
  }

  /// P16, S4-26: kept views, counted.
  @Test
  void keepsViewsAndCountsHits() {
    runner.run(context -> {
      var cache = context.getBean(ContextCache.class);
      var made = cache.get(key("a"), () -> context(1));
      assertThat(cache.get(key("a"), () -> context(2))).isSameAs(made);
      assertThat(cache.get(key("b"), () -> context(2))).isNotSameAs(made);
      var meters = context.getBean(MeterRegistry.class);
      assertThat(gets(meters, "hit")).isEqualTo(1);
      assertThat(gets(meters, "miss")).isEqualTo(2);
    });
  }

  /// P16, S4-26: a view that nobody asks for is dropped in time; one that is asked for stays.
  @Test
  void dropsViewsThatNobodyAsksFor() {
    var now = new AtomicLong();
    var settings = new CacheSettings(DataSize.ofMegabytes(1), Duration.ofMinutes(10));
    var cache = new KeptViews(settings, new SimpleMeterRegistry(), now::get);
    var asked = cache.get(key("asked"), () -> context(1));
    var idle = cache.get(key("idle"), () -> context(1));

    now.addAndGet(Duration.ofMinutes(9).toNanos());
    assertThat(cache.get(key("asked"), () -> context(2))).isSameAs(asked);
    now.addAndGet(Duration.ofMinutes(9).toNanos());

    assertThat(cache.get(key("asked"), () -> context(2))).isSameAs(asked);
    assertThat(cache.get(key("idle"), () -> context(2))).isNotSameAs(idle);
  }

  private static double gets(MeterRegistry meters, String result) {
    return meters
        .get("cache.gets")
        .tag("cache", "superstep.context")
        .tag("result", result)
        .functionCounter()
        .count();
  }

  /// P16: never more than its bound.
  @Test
  void keepsNoMoreThanItMay() {
    runner
        .withPropertyValues("superstep.context.cache.bytes-max=10KB")
        .run(context -> {
          var cache = context.getBean(ContextCache.class);
          var large = cache.get(key("large"), () -> context(20_000));
          assertThat(large.variables().size()).isEqualTo(1);
          await()
              .untilAsserted(() ->
                  assertThat(cache.get(key("large"), () -> context(20_000))).isNotSameAs(large));
        });
  }

  /// P16: correctness never depends on it, so it can be off.
  @Test
  void keepsNothingWhereItIsOff() {
    runner
        .withPropertyValues("superstep.context.cache.bytes-max=0")
        .run(
            context -> assertThat(context.getBean(ContextCache.class)).isSameAs(ContextCache.NONE));
  }

  @Test
  void doesNotStartWithABoundThatIsNone() {
    runner
        .withPropertyValues("superstep.context.cache.bytes-max=-1B")
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("superstep.context.cache.bytes-max"));
  }
}
