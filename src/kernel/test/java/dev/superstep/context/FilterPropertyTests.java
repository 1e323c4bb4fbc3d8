package dev.superstep.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What holds for every filter and every context.
class FilterPropertyTests {
  private static final int ROUNDS = 400;
  private static final String[] PATTERNS = {
    "*", "a.*", "b.*", "*.x", "a.x", "?.y", "c*", "*b*", "zz"
  };
  private static final String[] KEYS = {
    "a", "a.x", "a.y", "a.b.x", "b.x", "b.y", "c", "c.x", "cb", "d.z"
  };
  private static final String[] CALLS = {"upper", "mask", "prefix('p')", "rename('n.*')"};

  static List<Long> seeds() {
    return new Random().longs(3).boxed().toList();
  }

  private static <T> T any(Random random, T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static PromptContext context(Random random) {
    var variables = ObjectValue.builder();
    var metadata = ObjectValue.builder();
    for (var key : KEYS) {
      if (random.nextInt(4) > 0) {
        variables.put(key, Value.of(key));
      }
      if (random.nextInt(3) == 0) {
        metadata.put(key, Value.of(random.nextInt(9)));
      }
    }
    var history = ListValue.builder();
    for (int i = 0; i < random.nextInt(6); i++) {
      history.add(Contexts.entry(any(random, KEYS), i));
    }
    return Contexts.context(variables.build(), history.build(), metadata.build());
  }

  private static List<FilterRule> rules(Random random, int count, int kinds) {
    var rules = new ArrayList<FilterRule>();
    for (int i = 0; i < count; i++) {
      var glob = Glob.of(any(random, PATTERNS));
      var transformTarget = any(random, TransformTarget.values());
      rules.add(
          switch (random.nextInt(kinds)) {
            case 0 -> new FilterRule.Exclude(glob, transformTarget, Optional.empty());
            case 1 -> new FilterRule.Include(glob, transformTarget, Optional.empty());
            default -> transform(random);
          });
    }
    return rules;
  }

  private static FilterRule transform(Random random) {
    var pattern = any(random, new String[] {"a.*", "b.*", "*"});
    return FilterRule.transform(pattern, Transforms.BUILT_IN.call(any(random, CALLS)));
  }

  private static ContextFilter filter(Random random, int kinds) {
    return ContextFilter.of(
        rules(random, random.nextInt(5), kinds),
        any(random, DefaultBehavior.values()),
        random.nextInt(3));
  }

  private static PromptContext apply(ContextFilter filter, PromptContext context) {
    return filter.apply(context, ConditionScope.NONE).context();
  }

  /// P5: kept iff (an include matches, or none does and the default is pass) and no exclude does.
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void keepsWhatTheRuleOfFiltersSays(long seed) {
    var random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      var filter = filter(random, 2);
      var context = context(random);
      var seen = apply(filter, context);
      for (var key : context.variables().asMap().keySet()) {
        boolean included =
            matches(filter, FilterRule.Include.class, key)
                || filter.defaultBehavior() == DefaultBehavior.PASS;
        assertThat(seen.variables().has(key))
            .as("seed %d, round %d: %s in %s", seed, round, key, filter)
            .isEqualTo(included && !matches(filter, FilterRule.Exclude.class, key));
      }
      assertThat(context.variables().asMap().keySet())
          .containsAll(seen.variables().asMap().keySet());
    }
  }

  private static boolean matches(ContextFilter filter, Class<?> kind, String key) {
    return filter.rules().stream()
        .anyMatch(it ->
            kind.isInstance(it) && it.target().covers(Part.VARIABLES) && it.pattern().matches(key));
  }

  /// P5: default block without any include yields no variable.
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void yieldsNothingWhereItBlocksWithoutAnInclude(long seed) {
    var random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      var filter = ContextFilter.of(rules(random, random.nextInt(5), 1), DefaultBehavior.BLOCK);
      assertThat(apply(filter, context(random)).variables().isEmpty()).as("seed %d", seed).isTrue();
    }
  }

  /// P7: of filters that only exclude, the merged one does what both do one after the other.
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void mergesExcludesIntoWhatTheyDoInSequence(long seed) {
    var random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      var a = ContextFilter.of(rules(random, random.nextInt(4), 1), DefaultBehavior.PASS, 1);
      var b = ContextFilter.of(rules(random, random.nextInt(4), 1), DefaultBehavior.PASS, 2);
      var context = context(random);
      assertThat(apply(a.merge(b), context))
          .as("seed %d, round %d: %s and %s", seed, round, a, b)
          .isEqualTo(apply(a, apply(b, context)))
          .isEqualTo(apply(b.merge(a), context));
    }
  }

  /// P15: an item stays iff every filter keeps it, and the order of filters and of their ends does
  /// not matter.
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void filtersInParallelWithoutRegardToOrder(long seed) {
    var random = new Random(seed);
    for (int round = 0; round < ROUNDS / 4; round++) {
      var filters = new ArrayList<ContextFilter>();
      for (int i = 0; i < 1 + random.nextInt(4); i++) {
        filters.add(ContextFilter.of(filter(random, 2).rules(), DefaultBehavior.PASS, i));
      }
      var context = context(random);
      var seen = inParallel(filters, context);
      for (var key : context.variables().asMap().keySet()) {
        assertThat(seen.variables().has(key))
            .as("seed %d, round %d: %s in %s", seed, round, key, filters)
            .isEqualTo(filters.stream().allMatch(it -> apply(it, context).variables().has(key)));
      }
      Collections.shuffle(filters, random);
      assertThat(inParallel(filters, context)).isEqualTo(seen);
    }
  }

  private static PromptContext inParallel(List<ContextFilter> filters, PromptContext context) {
    var all =
        filters.stream()
            .map(filter ->
                new ParallelFilters.One(
                    "filter",
                    (arriving, _) -> apply(filter, arriving),
                    ObjectValue.empty(),
                    filter.priority(),
                    ""))
            .toList();
    return new ParallelFilters(all).join(context, context, -1, Trace.OFF);
  }

  /// P17: explaining gives the same view, and every item of the context has a fate that fits it.
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void explainsWhatItDoes(long seed) {
    var random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      var filter = filter(random, 3);
      var node =
          new NodeContext(
              new NodeContext.Declared(
                  any(random, NodeContextType.Standard.values()),
                  new NodeContext.Own(Optional.of(filter), TraceStep.Stage.FILTER),
                  Optional.empty(),
                  List.of()),
              ContextCache.NONE);
      var context = context(random);
      var trace = Trace.of(context);
      var view = node.explain(context, ConditionScope.NONE, trace, "n").context();
      assertThat(view).isEqualTo(node.view(context, ConditionScope.NONE).context());
      var kept = trace.items().stream().filter(Trace.Item::isKept).toList();
      assertThat(keys(kept, Part.VARIABLES))
          .as("seed %d, round %d: %s", seed, round, filter)
          .containsExactlyInAnyOrderElementsOf(view.variables().asMap().keySet());
      assertThat(keys(kept, Part.METADATA))
          .containsExactlyInAnyOrderElementsOf(view.metadata().asMap().keySet());
      assertThat(keys(kept, Part.HISTORY)).containsExactlyElementsOf(Contexts.ids(view));
      assertThat(trace.items()).allMatch(it -> !it.steps().isEmpty());
    }
  }

  private static List<String> keys(List<Trace.Item> items, Part part) {
    return items.stream().filter(it -> it.part() == part).map(Trace.Item::key).toList();
  }
}
