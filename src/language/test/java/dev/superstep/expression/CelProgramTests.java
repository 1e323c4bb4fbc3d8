package dev.superstep.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.superstep.graph.Scope;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class CelProgramTests {
  private static final Expressions EXPRESSIONS = new Expressions();

  @Test
  void looksUpOnlyTheVariablesItNeeds() {
    var looked = new ArrayList<String>();
    Scope scope =
        name -> {
          looked.add(name);
          return name.equals("input") ? Value.TRUE : ObjectValue.empty();
        };
    assertThat(EXPRESSIONS.compileCondition("input || state.a || now > now").test(scope)).isTrue();
    assertThat(looked).containsExactly("input");
  }

  @Test
  void readsOneFieldOfALargeStateWithoutConvertingTheRest() {
    var large = ListValue.of(Collections.nCopies(1_000_000, Value.of(1)));
    var state = ObjectValue.of("large", large).plus("small", Value.of(2));
    var condition = EXPRESSIONS.compileCondition("state.small == 2 && size(state.large) > 5");
    condition.test(_ -> state);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(condition.test(_ -> state)).isTrue();
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(500_000);
  }

  @Test
  void sharesAProgramBetweenThreads() throws Exception {
    var program = EXPRESSIONS.compile("state.list.map(x, x * state.factor).filter(x, x > 3)");
    try (var executor = Executors.newFixedThreadPool(4)) {
      var tasks = new ArrayList<Callable<Boolean>>();
      for (long i = 1; i <= 4; i++) {
        tasks.add(loop(program, i));
      }
      for (var done : executor.invokeAll(tasks)) {
        assertThat(done.get()).isTrue();
      }
    }
  }

  private static Callable<Boolean> loop(Expression program, long factor) {
    var list = ListValue.of(Value.of(1), Value.of(4));
    var state = ObjectValue.of("list", list).plus("factor", Value.of(factor));
    var expected =
        factor > 3
            ? ListValue.of(Value.of(factor), Value.of(4 * factor))
            : ListValue.of(Value.of(4 * factor));
    return () -> {
      boolean right = true;
      for (int i = 0; i < 2_000; i++) {
        right &= program.evaluate(_ -> state).equals(expected);
      }
      return right;
    };
  }

  @Test
  void saysWhichExpressionFailedAndWhereInIt() {
    var program = EXPRESSIONS.compile("1 +\n  state.user.name");
    assertThatThrownBy(() -> program.evaluate(_ -> ObjectValue.empty()))
        .hasMessageStartingWith("line 2, column 8: ")
        .hasMessageContaining("user")
        .hasMessageContaining("(in: 1 +");
  }
}
