package dev.superstep;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import jakarta.persistence.Entity;
import java.io.ObjectInputStream;
import java.util.stream.Stream;
import org.springframework.data.repository.Repository;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ControllerAdvice;

@AnalyzeClasses(packages = "dev.superstep", importOptions = DoNotIncludeTests.class)
class ArchitectureTests {

  @ArchTest static final ArchRule keepsStatePlainJava = plainJava("state");
  @ArchTest static final ArchRule keepsGraphPlainJava = plainJava("graph", "state");
  @ArchTest static final ArchRule keepsContextPlainJava = plainJava("context", "state");

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
  static final ArchRule hidesEntities =
      classes().that().areAnnotatedWith(Entity.class).should().notBePublic().allowEmptyShould(true);

  @ArchTest
  static final ArchRule hidesRepositories =
      classes()
          .that()
          .areAssignableTo(Repository.class)
          .should()
          .notBePublic()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule hidesControllers =
      classes()
          .that()
          .areMetaAnnotatedWith(Controller.class)
          .or()
          .areMetaAnnotatedWith(ControllerAdvice.class)
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
