package dev.superstep;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.flatMapping;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import dev.superstep.checkpoint.row.CheckpointRows;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.compute.RequestWork;
import dev.superstep.json.Json;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import java.io.ObjectInputStream;
import java.sql.ResultSet;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.data.repository.Repository;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ControllerAdvice;

@AnalyzeClasses(packages = "dev.superstep", importOptions = ArchitectureTests.OnlyMain.class)
class ArchitectureTests {

  private static final String ROOT = "dev.superstep.";
  private static final int FILES_MAX = 60;
  private static final int CYCLE_MAX = 3;
  private static final String FUNCTIONS =
      "dev\\.superstep\\.node\\.(FunctionCall|FunctionResult|NodeException|NodeFunction|PlainData"
          + "|StepException|Steps|SummaryFunction)(\\$.*)?";

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

  /// Other modules come as folders or as jars.
  static final class OnlyMain implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/test-classes/") && !location.contains("-tests.jar");
    }
  }

  @ArchTest
  static final ArchRule hasNoCyclesOfFeatures =
      slices().matching("dev.superstep.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule hasNoCyclesOfPackages =
      slices().matching("dev.superstep.(**)").should().beFreeOfCycles();

  @ArchTest
  static void keepsPackagesSmall(JavaClasses classes) {
    var sizes =
        classes.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(it -> !it.getSimpleName().equals("package-info"))
            .collect(groupingBy(JavaClass::getPackageName, counting()));
    assertThat(sizes)
        .allSatisfy((name, files) -> assertThat(files).as(name).isLessThanOrEqualTo(FILES_MAX));
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

  @ArchTest
  static final ArchRule pointsAtNoWebPackage =
      slices()
          .matching("dev.superstep.(*)..web..")
          .should()
          .notDependOnEachOther()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule keepsWebPackagesAtTheEdge =
      noClasses()
          .that(are(not(resideInAPackage("dev.superstep..web.."))))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.superstep..web..")
          .allowEmptyShould(true);

  /// The row of a run is that of the features `checkpoint` and `run`: its table has one entity.
  @ArchTest
  static final ArchRule keepsEntitiesInTheirFeature =
      classes()
          .that()
          .areAnnotatedWith(Entity.class)
          .or()
          .areAssignableTo(Repository.class)
          .and()
          .areNotAssignableTo(RunEntity.class)
          .should(beUsedInTheirFeatureOnly());

  @ArchTest
  static final ArchRule hidesControllers =
      classes()
          .that()
          .areMetaAnnotatedWith(Controller.class)
          .or()
          .areMetaAnnotatedWith(ControllerAdvice.class)
          .and()
          .areNotAnnotations()
          .should()
          .notBePublic()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule injectsNoFields = GeneralCodingRules.NO_CLASSES_SHOULD_USE_FIELD_INJECTION;

  @ArchTest
  static final ArchRule readsNoSerializedObjects =
      noClasses().should().dependOnClassesThat().areAssignableTo(ObjectInputStream.class);

  @ArchTest
  static final ArchRule evaluatesNoSpel =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.springframework.expression..");

  /// Extensions are compiled against these types of the nodes, and the kernel.
  @ArchTest
  static final ArchRule keepsFunctionsPlainJava =
      classes()
          .that()
          .haveNameMatching(FUNCTIONS)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      "java..",
                      "org.jspecify..",
                      "dev.superstep.context..",
                      "dev.superstep.engine..",
                      "dev.superstep.graph..",
                      "dev.superstep.state..")
                  .or(nameMatching(FUNCTIONS)));

  /// What the database holds becomes values through one gate, which weighs it for the request.
  @ArchTest
  static final ArchRule weighsWhatIsStored =
      noClasses()
          .that(readTheDatabase())
          .should()
          .callMethodWhere(target(owner(type(Json.class))).and(target(nameMatching("read"))));

  /// A budget of its own would let a request cost twice.
  @ArchTest
  static final ArchRule givesARequestOneBudget =
      noClasses()
          .that(are(not(type(RequestWork.class))))
          .and()
          .doNotHaveSimpleName("RequestWorkFilter")
          .should()
          .callConstructorWhere(target(owner(type(RequestWork.class))));

  /// Rows of checkpoints are as large as states: who reads them has weighed them.
  @ArchTest
  static final ArchRule weighsRowsOfCheckpoints =
      noClasses()
          .that()
          .doNotHaveSimpleName("Checkpoints")
          .and()
          .doNotHaveSimpleName("EventLog")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(CheckpointRows.class);

  private static DescribedPredicate<JavaClass> readTheDatabase() {
    return DescribedPredicate.describe(
        "read the database",
        it ->
            it.isAnnotatedWith(Entity.class)
                || it.getPackageName().startsWith("dev.superstep.checkpoint")
                || it.getDirectDependenciesFromSelf().stream()
                    .map(uses -> uses.getTargetClass().getName())
                    .anyMatch(uses ->
                        uses.equals(ResultSet.class.getName())
                            || uses.startsWith(JdbcClient.class.getName())
                            || uses.equals(EntityManager.class.getName())));
  }

  /// The wall clock of a replica may be wrong, and is set while it runs. What is stored, or
  /// compared with what is stored, is the database's time ([dev.superstep.schedule.DatabaseClock]);
  /// durations are those of `nanoTime`. Allowed remain:
  ///
  /// * `ServerCheck`, which compares the two clocks;
  /// * `ProtocolFrames`, whose events say when they were sent: nothing keeps or compares it.
  @ArchTest
  static final ArchRule readsNoWallClock =
      classes()
          .that()
          .doNotHaveFullyQualifiedName("dev.superstep.database.ServerCheck")
          .and()
          .doNotHaveFullyQualifiedName("dev.superstep.langgraph.run.ProtocolFrames")
          .should(readNo(ArchitectureTests::isWallClock));

  private static final Set<String> TIMES =
      Set.of(
          "Instant", "LocalDate", "LocalDateTime", "LocalTime", "OffsetDateTime", "ZonedDateTime");

  private static boolean isWallClock(AccessTarget target) {
    var owner = target.getOwner();
    var name = target.getName();
    return switch (owner.getSimpleName()) {
      case "System" -> name.equals("currentTimeMillis");
      case "Clock", "InstantSource" ->
          owner.getPackageName().equals("java.time")
              && (name.startsWith("system") || name.startsWith("tick"));
      case "Date", "GregorianCalendar" ->
          owner.getPackageName().equals("java.util") && name.equals("<init>");
      default -> TIMES.contains(owner.getSimpleName()) && name.equals("now");
    };
  }

  /// References to methods count as calls.
  private static ArchCondition<JavaClass> readNo(Predicate<AccessTarget> what) {
    return new ArchCondition<>("read no wall clock") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        Stream.concat(
                item.getAccessesFromSelf().stream(), item.getCodeUnitReferencesFromSelf().stream())
            .filter(it -> what.test(it.getTarget()))
            .forEach(it -> events.add(SimpleConditionEvent.violated(it, it.getDescription())));
      }
    };
  }

  /// Entities are public for the other packages of their feature. No other feature uses them.
  private static ArchCondition<JavaClass> beUsedInTheirFeatureOnly() {
    return new ArchCondition<>("be used in their feature only") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        item.getDirectDependenciesToSelf().stream()
            .filter(it -> !feature(it.getOriginClass()).equals(feature(item)))
            .forEach(it -> events.add(SimpleConditionEvent.violated(it, it.getDescription())));
      }
    };
  }

  private static String feature(JavaClass type) {
    return type.getPackageName().replaceFirst("^dev\\.superstep\\.([a-z]+).*", "$1");
  }

  /// The types that each type uses, both without their nested ones.
  private static Map<String, Set<String>> uses(JavaClasses classes) {
    return classes.stream()
        .collect(
            groupingBy(
                ArchitectureTests::topLevel,
                flatMapping(
                    it ->
                        it.getDirectDependenciesFromSelf().stream()
                            .map(to -> to.getTargetClass().getBaseComponentType())
                            .filter(to -> to.getName().startsWith(ROOT))
                            .map(ArchitectureTests::topLevel),
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
}
