package dev.superstep.durable;

import dev.superstep.json.Yaml;
import dev.superstep.problem.DurationText;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A case of `resources/durable`:
///
/// - `demands` says it in a sentence, `differs` why it does not hold, if it does not
/// - `graph` is the definition; or `function` one of `DurableFunctions`, in a graph of one node
///   with `retry` and `arguments`
/// - `input` is that of the run
/// - `service` is what a service outside answers to the calls of a name, one after the other, the
///   last one ever after: a value, `{fail: code}`, `{late: ms, give: value}`, or `hold`, which is
///   no answer. By default it answers what it was sent. An `http` node calls it by its own id.
/// - `do` is what else happens, in order: `answer` to a question; `claim`, `heartbeat`, `complete`
///   or `fail` of a worker's task; `pass` of time; `kill`, once the run waits or a call is held
/// - `expect` is what [CaseChecks] compares
///
/// @param subject the file that it is in
record DurableCase(String subject, ObjectValue said) {
  static final List<String> SUBJECTS =
      List.of(
          "step",
          "wait",
          "child",
          "callback",
          "invoke",
          "wait_for_condition",
          "wait_for_callback",
          "parallel",
          "map");

  private static final Path FOLDER = Path.of("src/server/test/resources/durable");

  static List<DurableCase> all() {
    return SUBJECTS.stream().flatMap(DurableCase::of).toList();
  }

  private static Stream<DurableCase> of(String subject) {
    return file(subject).objects("cases").stream().map(it -> new DurableCase(subject, it));
  }

  private static ObjectValue file(String subject) {
    try {
      return (ObjectValue) Yaml.read(Files.readString(FOLDER.resolve(subject + ".yaml")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Graphs that cases of the subject invoke.
  static List<ObjectValue> graphs(String subject) {
    return file(subject).objects("graphs");
  }

  String id() {
    return said.text("id");
  }

  /// Why it does not hold; empty if it does.
  Optional<String> differs() {
    return said.findText("differs");
  }

  /// Whether it can be run: what does not hold may have nothing to run.
  boolean runs() {
    return said.has("graph") || said.has("function");
  }

  boolean isInterrupted() {
    return actions().stream().anyMatch(it -> it.has("kill"));
  }

  List<ObjectValue> actions() {
    return said.objects("do");
  }

  ObjectValue expected() {
    return said.objectOrEmpty("expect");
  }

  /// What the service of the case answers to its calls of a name, in order.
  ListValue answers(String name) {
    return said.objectOrEmpty("service").listOrEmpty(name);
  }

  ObjectValue input() {
    return said.objectOrEmpty("input");
  }

  String run() {
    return "case-" + id();
  }

  /// @param service where it is
  ObjectValue definition(String service) {
    return completed(said.findObject("graph").orElseGet(() -> function(service)), service + id())
        .plus("name", run());
  }

  private ObjectValue function(String service) {
    var arguments = ObjectValue.of("url", service + id()).plusAll(said.objectOrEmpty("arguments"));
    var node =
        ObjectValue.of("id", "handler")
            .plus("type", "function")
            .plus(
                "config",
                ObjectValue.of("function", said.text("function")).plus("arguments", arguments));
    var retry = said.findObject("retry");
    return ObjectValue.of(
        "nodes", ListValue.of(retry.isPresent() ? node.plus("retry", retry.get()) : node));
  }

  /// An `http` node calls the service of the case by its own id, unless it says otherwise.
  static ObjectValue completed(ObjectValue graph, String service) {
    var config =
        ObjectValue.of("mode", "request")
            .plus("method", "POST")
            .plus("url", "{{ params.service }}/{{ node }}")
            .plus("result", ObjectValue.empty());
    var params = graph.objectOrEmpty("params").plus("service", ObjectValue.of("default", service));
    var defaults =
        ObjectValue.of("http", ObjectValue.of("config", config))
            .plusAll(graph.objectOrEmpty("defaults"));
    return graph.plus("params", params).plus("defaults", defaults);
  }

  static Duration duration(Value value) {
    return DurationText.parse(((Value.Text) value).value()).orElseThrow();
  }

  @Override
  public String toString() {
    return "%s %s".formatted(id(), said.text("demands"));
  }
}
