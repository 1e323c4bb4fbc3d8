package dev.superstep;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.flatMapping;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The rooms inside the features (docs/architecture.md). Each feature is listed from the ground up:
/// a room uses the rooms on floors below its own.
@AnalyzeClasses(packages = "dev.superstep", importOptions = DoNotIncludeTests.class)
class RoomsTests {
  private static final String ROOT = "dev.superstep.";
  private static final int FILES_MAX = 60;
  private static final int CYCLE_MAX = 3;

  /// Types that are defined by each other: JSON values with their collections, and a task that
  /// holds the first checkpoint of the run it begins and its name.
  private static final List<Set<String>> FAMILIES =
      List.of(
          Set.of(
              "state.value.Accessors",
              "state.value.Canonical",
              "state.value.CanonicalWriter",
              "state.value.ListValue",
              "state.value.Members",
              "state.value.ObjectValue",
              "state.value.SortedArrays",
              "state.value.SortedTree",
              "state.value.TokenCounter",
              "state.value.TreeMembers",
              "state.value.Value",
              "state.value.Vector"),
          Set.of(
              "engine.checkpoint.Checkpoint",
              "engine.checkpoint.ChildRef",
              "engine.checkpoint.ChildStart",
              "engine.checkpoint.Commit",
              "engine.checkpoint.TaskRecord"));

  private static final List<List<String>> STATE =
      List.of(List.of("state.value"), List.of("state.reducer"), List.of("state"));

  private static final List<List<String>> CONTEXT =
      List.of(
          List.of("context"),
          List.of("context.trace"),
          List.of("context.transform"),
          List.of("context.filter"),
          List.of("context.read"));

  private static final List<List<String>> ENGINE =
      List.of(
          List.of("engine.task"),
          List.of("engine.budget", "engine.run"),
          List.of("engine.checkpoint"),
          List.of("engine.context", "engine.node"),
          List.of("engine.port", "engine.program"),
          List.of("engine.pool", "engine.scope"),
          List.of("engine.routing"),
          List.of("engine.settle"),
          List.of("engine.barrier"),
          List.of("engine.drive"),
          List.of("engine"));

  private static final List<List<String>> EXPRESSION =
      List.of(
          List.of("expression"),
          List.of("expression.value"),
          List.of("expression.function"),
          List.of("expression.type"),
          List.of("expression.compile"));

  private static final List<List<String>> CHECKPOINT =
      List.of(
          List.of("checkpoint"),
          List.of("checkpoint.codec"),
          List.of("checkpoint.interrupt", "checkpoint.jdbc", "checkpoint.row"),
          List.of("checkpoint.outcome"),
          List.of("checkpoint.read", "checkpoint.slice"),
          List.of("checkpoint.commit", "checkpoint.event"),
          List.of("checkpoint.journal"));

  private static final List<List<String>> DEFINITION =
      List.of(
          List.of("definition"),
          List.of("definition.form"),
          List.of("definition.store", "definition.sugar", "definition.type"),
          List.of("definition.check"),
          List.of("definition.testing"),
          List.of("definition.read"),
          List.of("definition.diagram", "definition.service"),
          List.of("definition.web"));

  private static final List<List<String>> RUN =
      List.of(
          List.of("run.view"),
          List.of("run"),
          List.of("run.check", "run.live"),
          List.of("run.store"),
          List.of("run.family", "run.queue"),
          List.of("run.drive", "run.query", "run.stream"),
          List.of("run.start"),
          List.of("run.child", "run.service"),
          List.of("run.retention"));

  private static final List<List<String>> RUN_WEB =
      List.of(
          List.of("run.web.request"),
          List.of("run.web.response"),
          List.of("run.web", "run.web.stream"));

  private static final List<List<String>> NODE =
      List.of(
          List.of("node", "node.outbound.egress"),
          List.of("node.outbound", "node.tool"),
          List.of("node.http", "node.tool.source"),
          List.of("node.tool.call", "node.tool.web"),
          List.of("node.llm"));

  private static final List<List<String>> SCHEDULE =
      List.of(
          List.of("schedule"),
          List.of("schedule.hint", "schedule.replica"),
          List.of("schedule.db"));

  private static final List<List<String>> HTTP =
      List.of(List.of("http", "http.connection"), List.of("http.openapi"));

  private static final List<List<String>> JSON =
      List.of(List.of("json"), List.of("json.schema", "json.yaml"));

  private static final List<List<String>> MODEL =
      List.of(List.of("model.http", "model.scripted"), List.of("model"), List.of("model.web"));

  private static final List<List<String>> SECURITY =
      List.of(List.of("security.loopback"), List.of("security"), List.of("security.token"));

  private static final List<List<String>> TESTING =
      List.of(List.of("testing"), List.of("testing.kit"));

  private static final List<List<String>> COMMAND =
      List.of(List.of("command.langgraph"), List.of("command"));

  private static final List<List<String>> LANGGRAPH =
      List.of(
          List.of("langgraph"),
          List.of("langgraph.message", "langgraph.store"),
          List.of("langgraph.thread"),
          List.of("langgraph.assistant"),
          List.of("langgraph.stream"),
          List.of("langgraph.run"),
          List.of("langgraph.protocol"));

  private static final List<List<List<String>>> FEATURES =
      List.of(
          STATE,
          CONTEXT,
          ENGINE,
          EXPRESSION,
          CHECKPOINT,
          DEFINITION,
          RUN,
          RUN_WEB,
          NODE,
          SCHEDULE,
          HTTP,
          JSON,
          LANGGRAPH,
          MODEL,
          SECURITY,
          TESTING,
          COMMAND);

  @ArchTest
  static final ArchRule hasNoCycles =
      slices().matching("dev.superstep.(**)").should().beFreeOfCycles();

  @ArchTest
  static void usesOnlyFloorsBelow(JavaClasses classes) {
    for (var floors : FEATURES) {
      for (int floor = 0; floor < floors.size(); floor++) {
        for (var room : floors.get(floor)) {
          var notBelow =
              floors.subList(floor, floors.size()).stream()
                  .flatMap(List::stream)
                  .filter(it -> !it.equals(room))
                  .map(ROOT::concat)
                  .toArray(String[]::new);
          noClasses()
              .that()
              .resideInAPackage(ROOT + room)
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(notBelow)
              .check(classes);
        }
      }
    }
  }

  /// A room that is on no floor would be checked by nothing.
  @ArchTest
  static void putsEveryRoomOnAFloor(JavaClasses classes) {
    var listed = FEATURES.stream().flatMap(List::stream).flatMap(List::stream).toList();
    assertThat(listed).doesNotHaveDuplicates();
    var features = listed.stream().map(it -> feature(it)).distinct().toList();
    assertThat(classes.stream().map(RoomsTests::room).distinct())
        .filteredOn(it -> features.contains(feature(it)))
        .filteredOn(it -> !it.startsWith("node."))
        .allSatisfy(it -> assertThat(listed).contains(it));
    assertThat(classes.stream().map(RoomsTests::room)).containsAll(listed);
  }

  @ArchTest
  static void keepsRoomsSmall(JavaClasses classes) {
    var sizes =
        classes.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(it -> !it.getSimpleName().equals("package-info"))
            .collect(groupingBy(RoomsTests::room, counting()));
    assertThat(sizes)
        .allSatisfy((room, files) -> assertThat(files).as(room).isLessThanOrEqualTo(FILES_MAX));
  }

  @ArchTest
  static void givesEveryTypeANameOfItsOwn(JavaClasses classes) {
    assertThat(classes.stream().filter(JavaClass::isTopLevelClass).map(JavaClass::getSimpleName))
        .filteredOn(it -> !it.equals("package-info"))
        .doesNotHaveDuplicates();
  }

  /// Types that use each other in a cycle can only be understood together.
  @ArchTest
  static void keepsCyclesOfTypesSmall(JavaClasses classes) {
    var uses = uses(classes);
    var reached = new HashMap<String, Set<String>>();
    uses.keySet().forEach(it -> reached.put(it, reachable(it, uses)));
    var cycles = new HashSet<Set<String>>();
    reached.forEach((type, others) ->
        cycles.add(
            others.stream()
                .filter(it -> reached.getOrDefault(it, Set.of()).contains(type))
                .collect(toSet())));
    assertThat(cycles)
        .filteredOn(it -> it.size() > CYCLE_MAX)
        .hasSameSizeAs(FAMILIES)
        .allSatisfy(
            cycle -> assertThat(FAMILIES).as("%s", cycle).anyMatch(it -> it.containsAll(cycle)));
  }

  /// The types that each type uses, both without their nested ones.
  private static Map<String, Set<String>> uses(JavaClasses classes) {
    return classes.stream()
        .collect(
            groupingBy(
                RoomsTests::topLevel,
                flatMapping(
                    it ->
                        it.getDirectDependenciesFromSelf().stream()
                            .map(to -> to.getTargetClass().getBaseComponentType())
                            .filter(to -> to.getName().startsWith(ROOT))
                            .map(RoomsTests::topLevel),
                    toSet())));
  }

  private static String topLevel(JavaClass type) {
    return type.getName().substring(ROOT.length()).replaceFirst("[$].*", "");
  }

  private static Set<String> reachable(String from, Map<String, Set<String>> uses) {
    var reached = new HashSet<String>();
    var open = new ArrayDeque<>(uses.getOrDefault(from, Set.of()));
    while (!open.isEmpty()) {
      var next = open.removeFirst();
      if (reached.add(next)) {
        open.addAll(uses.getOrDefault(next, Set.of()));
      }
    }
    return reached;
  }

  private static String feature(String room) {
    return room.replaceFirst("\\..*", "");
  }

  private static String room(JavaClass type) {
    return type.getPackageName().equals("dev.superstep")
        ? "application"
        : type.getPackageName().substring(ROOT.length());
  }
}
