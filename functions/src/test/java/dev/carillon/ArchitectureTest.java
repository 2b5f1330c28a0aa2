package dev.carillon;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** One instance, because to read all classes takes longer than to check a rule. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchitectureTest {

  /** Every package that is not the pure model: what is in none of them follows from its input. */
  private static final String[] NOT_PURE = {
    "dev.carillon.runtime..",
    "dev.carillon.log..",
    "dev.carillon.metrics..",
    "dev.carillon.check..",
    "dev.carillon.collect..",
    "dev.carillon.fires..",
    "dev.carillon.master..",
    "dev.carillon.ingest..",
    "dev.carillon.checker..",
    "dev.carillon.api..",
    "dev.carillon.dynamodb..",
    "dev.carillon.sqs..",
    "dev.carillon.memory..",
    "dev.carillon.simulation..",
    "dev.carillon.lambda.."
  };

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.carillon");

  @Test
  void packagesDependOnEachOtherInOneDirection() {
    slices().matching("dev.carillon.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void theRootPackageHoldsItsDescriptionAlone() {
    noClasses()
        .that()
        .doNotHaveSimpleName("package-info")
        .should()
        .resideInAPackage("dev.carillon")
        .check(CLASSES);
  }

  @Test
  void everyPackageSaysWhatLivesThere() {
    Set<String> described = new TreeSet<>();
    Set<String> packages = new TreeSet<>();
    for (JavaClass each : CLASSES) {
      packages.add(each.getPackageName());
      if (each.getSimpleName().equals("package-info")) {
        described.add(each.getPackageName());
      }
    }
    assertThat(described).isEqualTo(packages).hasSizeGreaterThan(20);
  }

  @Test
  void onlyTheAdaptersAndTheCompositionRootKnowTheSdk() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.carillon.dynamodb..", "dev.carillon.sqs..", "dev.carillon.lambda..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("software.amazon.awssdk..")
        .check(CLASSES);
  }

  @Test
  void theModelKnowsNoLambdaNoAdapterAndNoThread() {
    noClasses()
        .that()
        .resideOutsideOfPackages(NOT_PURE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(NOT_PURE)
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackages(NOT_PURE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "com.amazonaws..",
            "software.amazon.awssdk..",
            "java.util.concurrent..",
            "java.net.http..")
        .check(CLASSES);
  }

  /** Jackson has an IOException for every text that is no JSON. */
  @Test
  void theModelReadsNothingButTheJsonOfItsCallers() {
    noClasses()
        .that()
        .resideOutsideOfPackages(NOT_PURE)
        .and()
        .doNotHaveSimpleName("Json")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.io..")
        .check(CLASSES);
  }

  @Test
  void adaptersAreKnownToTheCompositionRootAndTheSimulationAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.carillon.dynamodb..",
            "dev.carillon.sqs..",
            "dev.carillon.memory..",
            "dev.carillon.simulation..",
            "dev.carillon.lambda..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.carillon.dynamodb..", "dev.carillon.sqs..", "dev.carillon.memory..")
        .check(CLASSES);
  }

  @Test
  void theSimulationWorksInMemory() {
    noClasses()
        .that()
        .resideInAPackage("dev.carillon.simulation..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.carillon.dynamodb..", "dev.carillon.sqs..")
        .check(CLASSES);
  }

  @Test
  void nobodyReadsTheSystemClock() {
    DescribedPredicate<JavaClass> timeTypes =
        DescribedPredicate.describe(
            "a type of java.time",
            type ->
                type.isEquivalentTo(Instant.class)
                    || type.isEquivalentTo(LocalDate.class)
                    || type.isEquivalentTo(LocalDateTime.class)
                    || type.isEquivalentTo(ZonedDateTime.class));
    noClasses()
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "the system clock is read",
                call ->
                    call.getTarget().getName().equals("now")
                            && timeTypes.test(call.getTargetOwner())
                        || call.getTarget().getName().equals("currentTimeMillis")))
        .check(CLASSES);
    noClasses()
        .that()
        .doNotHaveSimpleName("Carillon")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .check(CLASSES);
  }

  @Test
  void nothingRandomIsSharedByCopiesOfASnapshot() {
    noClasses()
        .that()
        .doNotHaveSimpleName("Randomness")
        .should()
        .callMethod(java.util.UUID.class, "randomUUID")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Random.class)
        .check(CLASSES);
  }

  @Test
  void handlersAreNamedAsSuchAndNothingElseIs() {
    classes()
        .that()
        .implement("com.amazonaws.services.lambda.runtime.RequestHandler")
        .should()
        .haveSimpleNameEndingWith("Handler")
        .check(CLASSES);
  }

  @Test
  void adaptersDoNotKnowEachOther() {
    slices()
        .matching("dev.carillon.(dynamodb|sqs|memory)..")
        .should()
        .notDependOnEachOther()
        .check(CLASSES);
  }
}
