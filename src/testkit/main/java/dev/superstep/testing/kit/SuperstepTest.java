package dev.superstep.testing.kit;

import dev.superstep.definition.AuthorText.Format;
import dev.superstep.definition.read.DefinitionText;
import dev.superstep.definition.read.TestCase;
import dev.superstep.definition.read.TestedGraph;
import dev.superstep.graph.Violation;
import dev.superstep.node.NodeFunction;
import dev.superstep.node.PlainData;
import dev.superstep.node.spec.GraphDefinition;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.testing.LocalReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/// Runs a graph in a test, in the test's own process: no server, no database, no network, no
/// waiting. Functions of `function` nodes run; what would leave the process is answered by the
/// test.
///
/// ```java
/// var run =
///     SuperstepTest.graph(Path.of("graph.yaml"))
///         .function("plan", new Plan())
///         .model("fast", "draft 1", "draft 2")
///         .run(Map.of("task", "poem"));
/// assertThat(run.state().text("draft")).isEqualTo("draft 2");
/// ```
///
/// Wherever answers are given, one answers every call, and several answer call by call. Answers are
/// what [Fake#answer] may return. Immutable: each method returns another test, so that a base may
/// be shared; sharing it saves the time to set up its beans, too.
public final class SuperstepTest {
  private final byte[] definition;
  private final Format format;
  private final Library library;
  private final Scenario scenario;

  private SuperstepTest(byte[] definition, Format format, Library library, Scenario scenario) {
    this.definition = definition;
    this.format = format;
    this.library = library;
    this.scenario = scenario;
  }

  /// @param definition in YAML or JSON
  public static SuperstepTest graph(String definition) {
    return graph(definition.getBytes(StandardCharsets.UTF_8), Format.YAML);
  }

  /// @param file in YAML or JSON, or a bundle (`.zip`)
  public static SuperstepTest graph(Path file) {
    var name = file.toString().toLowerCase(Locale.ROOT);
    try {
      return graph(Files.readAllBytes(file), name.endsWith(".zip") ? Format.ZIP : Format.YAML);
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be read".formatted(file), e);
    }
  }

  /// With the functions that are given in it as code.
  public static SuperstepTest graph(GraphDefinition definition) {
    var test = graph(definition.yaml());
    for (var function : definition.functions().entrySet()) {
      test = test.function(function.getKey(), function.getValue());
    }
    return test;
  }

  private static SuperstepTest graph(byte[] definition, Format format) {
    return new SuperstepTest(definition, format, Library.EMPTY, Scenario.NOTHING);
  }

  /// The function of `function` nodes that name it.
  public SuperstepTest function(String name, NodeFunction function) {
    return bean(name, function);
  }

  /// Anything else that an extension could bring: a `MergeFunction`, a `SummaryFunction`, what
  /// works on prompt contexts.
  public SuperstepTest bean(String name, Object bean) {
    return with(library.with(name, bean));
  }

  /// Spring components and configurations with beans of those types.
  public SuperstepTest beans(Class<?>... classes) {
    return with(library.with(List.of(classes)));
  }

  /// What a node gets from outside: an `llm` node its model's answer; an `http` node a response,
  /// `{status, headers, body}`; a `subgraph` node the output of the graph; any other its result,
  /// `{update: {…}}` or a `FunctionResult`.
  public SuperstepTest node(String id, @Nullable Object... answers) {
    return with(scenario.withNode(id, Scenario.series(fakes(answers))));
  }

  /// What a node gets from outside, computed.
  public SuperstepTest node(String id, Fake fake) {
    return with(scenario.withNode(id, Scenario.series(List.of(fake))));
  }

  /// What a model answers to all nodes that ask it, in the order in which they ask: a text,
  /// `{content, tool_calls: [{name, arguments}]}`, or anything else as JSON. Nodes that name no
  /// model ask the only one there is, or `default`.
  public SuperstepTest model(String name, @Nullable Object... answers) {
    return with(scenario.withModel(name, Scenario.series(fakes(answers))));
  }

  /// What a model answers, computed from its prompt.
  public SuperstepTest model(String name, Fake fake) {
    return with(scenario.withModel(name, Scenario.series(List.of(fake))));
  }

  /// What a tool answers that models ask for.
  public SuperstepTest tool(String name, @Nullable Object... answers) {
    return with(scenario.withTool(name, Scenario.series(fakes(answers))));
  }

  /// What a tool answers, computed from its arguments.
  public SuperstepTest tool(String name, Fake fake) {
    return with(scenario.withTool(name, Scenario.series(List.of(fake))));
  }

  /// What people answer to the questions of a node, without the run coming to rest. See also
  /// [TestRun#resume].
  public SuperstepTest answer(String node, @Nullable Object... answers) {
    return with(
        scenario.withAnswers(
            node, Scenario.series(Arrays.stream(answers).map(PlainData::toValue).toList())));
  }

  /// The state that earlier runs of the thread have left.
  public SuperstepTest thread(Map<String, ?> state) {
    return with(scenario.withThread(object(state)));
  }

  /// The value of one of the graph's params.
  public SuperstepTest param(String name, @Nullable Object value) {
    return with(scenario.withParam(name, PlainData.toValue(value)));
  }

  /// When the run begins; else 2026-01-01T00:00:00Z.
  public SuperstepTest beginningAt(Instant time) {
    return with(scenario.beginningAt(time));
  }

  /// Runs the graph without input.
  public TestRun run() {
    return run(Map.of());
  }

  /// Runs the graph until it is over, or a question stays without an answer. Time passes where
  /// nothing but time is waited for: `wait` nodes, pauses between attempts.
  ///
  /// @throws IllegalArgumentException if a server would refuse the definition, the input or a param
  /// @throws AssertionError if a node calls out and the test gives no answer, or a fake throws one
  public TestRun run(Map<String, ?> input) {
    var graph = read();
    scenario.check(
        graph.plan().program().graph().nodes().stream()
            .map(it -> it.id().value())
            .collect(Collectors.toSet()));
    return TestRun.of(
        graph,
        new TestCase.TestInput(object(input), scenario.thread(), scenario.params()),
        scenario);
  }

  private TestedGraph read() {
    try {
      var read = library.reader().texts().read(new DefinitionText(definition, format));
      var plan =
          read.graphPlan()
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      read.errors().stream()
                          .map(SuperstepTest::line)
                          .collect(Collectors.joining("\n", "the definition has errors:\n", ""))));
      var name = read.definition().textOrEmpty("name");
      return new TestedGraph(name, 1, plan, List.of());
    } catch (ServiceException e) {
      throw new IllegalArgumentException(e.detail(), e);
    }
  }

  private static String line(Violation violation) {
    return "  %d:%d %s %s: %s"
        .formatted(
            violation.line(),
            violation.column(),
            violation.pointer(),
            violation.code(),
            violation.message());
  }

  private SuperstepTest with(Library other) {
    return new SuperstepTest(definition, format, other, scenario);
  }

  private SuperstepTest with(Scenario other) {
    return new SuperstepTest(definition, format, library, other);
  }

  private static List<Fake> fakes(@Nullable Object... answers) {
    return Arrays.stream(answers).<Fake>map(it -> _ -> it).toList();
  }

  private static ObjectValue object(Map<String, ?> data) {
    return (ObjectValue) PlainData.toValue(data);
  }

  /// The Java code that graphs may name, and the reader of definitions that knows it. The reader is
  /// opened when it is needed, once.
  private static final class Library {
    static final Library EMPTY = new Library(Map.of(), List.of());

    private final Map<String, Object> beans;
    private final List<Class<?>> classes;
    private @Nullable LocalReader reader;

    private Library(Map<String, Object> beans, List<Class<?>> classes) {
      this.beans = Map.copyOf(beans);
      this.classes = List.copyOf(classes);
    }

    Library with(String name, Object bean) {
      return new Library(Scenario.plus(beans, name, bean), classes);
    }

    Library with(List<Class<?>> more) {
      var all = new ArrayList<>(classes);
      all.addAll(more);
      return new Library(beans, all);
    }

    synchronized LocalReader reader() {
      if (reader == null) {
        reader = LocalReader.with(this::register);
      }
      return reader;
    }

    private void register(AnnotationConfigApplicationContext context) {
      context.setAllowBeanDefinitionOverriding(false);
      beans.forEach((name, bean) -> register(context, name, bean.getClass(), bean));
      classes.forEach(context::register);
    }

    private static <T> void register(
        AnnotationConfigApplicationContext context, String name, Class<T> type, Object bean) {
      context.registerBean(name, type, () -> type.cast(bean));
    }
  }
}
