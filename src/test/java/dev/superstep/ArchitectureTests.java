package dev.superstep;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.superstep.checkpoint.read.CheckpointRows;
import dev.superstep.compute.RequestWork;
import dev.superstep.json.Json;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import java.io.ObjectInputStream;
import java.sql.ResultSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.data.repository.Repository;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ControllerAdvice;

@AnalyzeClasses(packages = "dev.superstep", importOptions = DoNotIncludeTests.class)
class ArchitectureTests {

  @ArchTest static final ArchRule keepsStatePlainJava = plainJava("state");
  @ArchTest static final ArchRule keepsGraphPlainJava = plainJava("graph", "state");
  @ArchTest static final ArchRule keepsViolationPlainJava = plainJava("violation", "state");

  @ArchTest
  static final ArchRule keepsContextPlainJava = plainJava("context", "state", "violation");

  @ArchTest
  static final ArchRule keepsEnginePlainJava = plainJava("engine", "graph", "context", "state");

  @ArchTest
  static final ArchRule hasNoCycles =
      slices().matching("dev.superstep.(*)..").should().beFreeOfCycles().allowEmptyShould(true);

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

  @ArchTest
  static final ArchRule keepsEntitiesInTheirFeature =
      classes()
          .that()
          .areAnnotatedWith(Entity.class)
          .or()
          .areAssignableTo(Repository.class)
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
  static final ArchRule readsNoSerializedObjects =
      noClasses().should().dependOnClassesThat().areAssignableTo(ObjectInputStream.class);

  @ArchTest
  static final ArchRule evaluatesNoSpel =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.springframework.expression..");

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
  /// compared with what is stored, is the database's time
  /// ([dev.superstep.schedule.replica.DatabaseClock]); durations are those of `nanoTime`. Allowed
  /// remain:
  ///
  /// * `ServerCheck`, which compares the two clocks;
  /// * `ProtocolFrames`, whose events say when they were sent: nothing keeps or compares it.
  @ArchTest
  static final ArchRule readsNoWallClock =
      classes()
          .that()
          .doNotHaveFullyQualifiedName("dev.superstep.database.server.ServerCheck")
          .and()
          .doNotHaveFullyQualifiedName("dev.superstep.langgraph.protocol.ProtocolFrames")
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

  /// Rooms make entities public for the other rooms of their feature. No other feature uses them.
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

  private static ArchRule plainJava(String feature, String... mayUse) {
    String[] allowed =
        Stream.concat(
                Stream.of("java..", "org.jspecify..", "dev.superstep." + feature + ".."),
                Stream.of(mayUse).map(name -> "dev.superstep." + name + ".."))
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage("dev.superstep." + feature + "..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed)
        .allowEmptyShould(true);
  }
}
