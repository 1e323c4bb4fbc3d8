package dev.superstep.context.filter;

import static dev.superstep.context.Contexts.object;
import static dev.superstep.context.filter.ContextFilter.DefaultBehavior.PASS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.context.ConditionScope;
import dev.superstep.context.ContextException;
import dev.superstep.context.Contexts;
import dev.superstep.context.FilterRule;
import dev.superstep.context.Glob;
import dev.superstep.context.TransformTarget;
import dev.superstep.context.transform.Transforms;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AsyncFiltersTests {
  private final ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor();
  private final AsyncFilters filters = new AsyncFilters(pool);

  @AfterEach
  void stop() {
    pool.close();
  }

  private static ContextFilter transform(double priority, String pattern, String call) {
    var transforms = Transforms.BUILT_IN;
    return ContextFilter.of(
        List.of(FilterRule.transform(pattern, transforms.call(call))), PASS, priority);
  }

  /// P15: the highest priority decides what a value becomes; S4-27.
  @Test
  void takesATransformedValueFromTheHighestPriority() throws Exception {
    var context = Contexts.context(object("a", "x", "b", "y"), ListValue.empty(), object());
    var seen =
        filters
            .apply(
                context,
                List.of(
                    transform(1, "*", "prefix('low ')"),
                    transform(2, "a", "prefix('high ')"),
                    transform(3, "c", "default('new')")),
                ConditionScope.NONE)
            .context();
    assertThat(seen.variables()).isEqualTo(object("a", "high x", "b", "low y", "c", "new"));
  }

  /// P15: all filters get the same input, at the same time: each waits here for the other.
  @Test
  void runsAllFiltersOnTheSameInput() throws Exception {
    var both = new CountDownLatch(2);
    var transforms =
        Transforms.with(
            Map.of(
                "meet",
                (value, _) -> {
                  both.countDown();
                  await(both);
                  return value;
                }));
    var meeting =
        ContextFilter.of(List.of(FilterRule.transform("a", transforms.call("meet"))), PASS);
    var seen = filters.apply(Contexts.of("a"), List.of(meeting, meeting), ConditionScope.NONE);
    assertThat(seen.context().variables()).isEqualTo(Contexts.keys("a"));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// P15: one failure fails the call.
  @Test
  void failsIfOneFilterFails() {
    var transforms =
        Transforms.with(
            Map.of(
                "broken",
                (_, _) -> {
                  throw new IllegalStateException("no");
                }));
    var broken =
        ContextFilter.of(List.of(FilterRule.transform("a", transforms.call("broken"))), PASS);
    var whole = ContextFilter.of(List.of(), PASS);
    assertThatThrownBy(
            () -> filters.apply(Contexts.of("a"), List.of(whole, broken), ConditionScope.NONE))
        .isInstanceOf(ContextException.class);
  }

  /// P15
  @Test
  void passesEverythingWithoutFilters() throws Exception {
    var context = Contexts.of("a");
    assertThat(filters.apply(context, List.of(), ConditionScope.NONE).context()).isSameAs(context);
  }

  /// P15: an entry stays if every filter keeps it, in its order and with its time.
  @Test
  void keepsTheEntriesThatEveryFilterKeeps() throws Exception {
    var history =
        ListValue.of(
            Contexts.entry("a", 1),
            Contexts.entry("b", 2),
            Contexts.entry("c", 3),
            Contexts.entry("b", 4));
    var context = Contexts.context(object("x", "1"), history, object());

    var seen =
        filters
            .apply(
                context, List.of(withoutEntriesOf("a"), withoutEntriesOf("c")), ConditionScope.NONE)
            .context();

    assertThat(seen.history()).isEqualTo(ListValue.of(history.get(1), history.get(3)));
    assertThat(seen.times())
        .isEqualTo(ListValue.of(context.times().get(1), context.times().get(3)));
    assertThat(seen.variables()).isEqualTo(context.variables());
  }

  private static ContextFilter withoutEntriesOf(String node) {
    return ContextFilter.of(
        List.of(new FilterRule.Exclude(Glob.of(node), TransformTarget.HISTORY, Optional.empty())),
        PASS);
  }

  /// P15: history too is transformed by the highest priority.
  @Test
  void transformsHistoryByPriority() throws Exception {
    var context = Contexts.context(object(), ListValue.of(Contexts.entry("n", 1)), object());
    var seen =
        filters
            .apply(
                context,
                List.of(onHistory("truncate(2)", 1), onHistory("truncate(4)", 2)),
                ConditionScope.NONE)
            .context();
    assertThat(((ObjectValue) seen.history().get(0)).get("response")).isEqualTo(Value.of("answ"));
  }

  private static ContextFilter onHistory(String call, double priority) {
    var rule =
        new FilterRule.Transform(
            Glob.of("n"),
            TransformTarget.HISTORY,
            Optional.empty(),
            Transforms.BUILT_IN.call(call));
    return ContextFilter.of(List.of(rule), PASS, priority);
  }
}
