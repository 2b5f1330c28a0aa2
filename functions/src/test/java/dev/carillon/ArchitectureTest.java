package dev.carillon;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

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
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  private static final String[] MODEL = {
    "dev.carillon.constraint..",
    "dev.carillon.app..",
    "dev.carillon.backfill..",
    "dev.carillon.schedule..",
    "dev.carillon.trigger..",
    "dev.carillon.time..",
    "dev.carillon.calendar..",
    "dev.carillon.event..",
    "dev.carillon.gate..",
    "dev.carillon.job..",
    "dev.carillon.launch.."
  };

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.carillon");

  @Test
  void onlyTheAdaptersAndTheCompositionRootKnowTheSdk() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.carillon.dynamodb..", "dev.carillon.sqs..")
        .and()
        .doNotHaveSimpleName("Carillon")
        .and()
        .doNotHaveSimpleName("Clients")
        .and()
        .doNotHaveSimpleName("RenewableHttpClient")
        .and()
        .doNotHaveSimpleName("RenewableCredentials")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("software.amazon.awssdk..")
        .check(classes);
  }

  @Test
  void theModelKnowsNoLambdaNoAdapterAndNoThread() {
    noClasses()
        .that()
        .resideInAnyPackage(MODEL)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "com.amazonaws..",
            "dev.carillon.dynamodb..",
            "dev.carillon.sqs..",
            "dev.carillon.memory..",
            "dev.carillon.api..",
            "dev.carillon.checker..",
            "dev.carillon.ingest..",
            "java.util.concurrent..",
            "java.io..",
            "java.net.http..")
        .check(classes);
  }

  @Test
  void adaptersAreKnownToNobodyButTheCompositionRootAndTheSimulation() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.carillon.dynamodb..",
            "dev.carillon.sqs..",
            "dev.carillon.memory..",
            "dev.carillon.simulation..")
        .and()
        .doNotHaveSimpleName("Carillon")
        .and()
        .doNotHaveSimpleName("Config")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.carillon.dynamodb..", "dev.carillon.sqs..", "dev.carillon.memory..")
        .check(classes);
  }

  @Test
  void theSimulationWorksInMemory() {
    noClasses()
        .that()
        .resideInAPackage("dev.carillon.simulation..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.carillon.dynamodb..", "dev.carillon.sqs..")
        .check(classes);
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
        .check(classes);
    noClasses()
        .that()
        .doNotHaveSimpleName("Carillon")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .check(classes);
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
        .check(classes);
  }

  @Test
  void handlersAreNamedAsSuchAndNothingElseIs() {
    classes()
        .that()
        .implement("com.amazonaws.services.lambda.runtime.RequestHandler")
        .should()
        .haveSimpleNameEndingWith("Handler")
        .check(classes);
  }

  @Test
  void timeKnowsNothingOfSchedules() {
    noClasses()
        .that()
        .resideInAPackage("dev.carillon.time..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.carillon.constraint..",
            "dev.carillon.schedule..",
            "dev.carillon.trigger..",
            "dev.carillon.job..")
        .check(classes);
  }

  @Test
  void adaptersDoNotKnowEachOther() {
    slices()
        .matching("dev.carillon.(dynamodb|sqs|memory)..")
        .should()
        .notDependOnEachOther()
        .check(classes);
  }
}
