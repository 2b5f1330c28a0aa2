package dev.carillon;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.carillon.wakeup.Wakeup;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** One instance, because reading all classes takes longer than checking a rule. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchitectureTest {

  /** Every package outside the pure model, whose results depend only on its input. */
  private static final String[] NOT_PURE = {
    "dev.carillon.runtime..",
    "dev.carillon.log..",
    "dev.carillon.metrics..",
    "dev.carillon.check..",
    "dev.carillon.collect..",
    "dev.carillon.fires..",
    "dev.carillon.pool..",
    "dev.carillon.report..",
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

  /** The methods of ports that only read; every other method of a port writes or sends. */
  private static final String READING =
      "find|list|read|walk|ofApp|shards|isEmpty|isAttentionEmpty|due|missing|depths|programs|definitions|heads|recent.*|forLaunch"
          + "|withEventKey|indexShows|waiters|resources|ofSchedule|skippedUpTo|needingAttention"
          + "|attentionShards|count.*|suspendedJobs|collectingJob|backfills|openBackfills"
          + "|rows|state|activity";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.carillon");

  @Test
  void packagesDependOnEachOtherInOneDirection() {
    slices().matching("dev.carillon.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void theRootPackageContainsOnlyItsDescription() {
    noClasses()
        .that()
        .doNotHaveSimpleName("package-info")
        .should()
        .resideInAPackage("dev.carillon")
        .check(CLASSES);
  }

  @Test
  void everyPackageHasADescription() {
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
  void onlyAdaptersAndTheCompositionRootUseTheSdk() {
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
  void theModelUsesNoLambdaNoAdapterAndNoThread() {
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

  /** Jackson declares an IOException for every text that is not JSON. */
  @Test
  void theModelReadsOnlyTheJsonOfItsCallers() {
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
  void onlyTheCompositionRootAndTheSimulationUseAdapters() {
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
  void onlyTheCompositionRootReadsTheSystemClock() {
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
  void copiesOfASnapshotShareNoRandomNumbers() {
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
  void onlyThePlanOfAWakeUpAddsTheMarginOfTheAttentionIndex() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(Wakeup.class)
        .should()
        .accessField(Wakeup.class, "SLACK")
        .check(CLASSES);
  }

  @Test
  void handlersAreNamedHandler() {
    classes()
        .that()
        .implement("com.amazonaws.services.lambda.runtime.RequestHandler")
        .should()
        .haveSimpleNameEndingWith("Handler")
        .check(CLASSES);
  }

  @Test
  void adaptersDoNotUseEachOther() {
    slices()
        .matching("dev.carillon.(dynamodb|sqs|memory)..")
        .should()
        .notDependOnEachOther()
        .check(CLASSES);
  }

  @Test
  void predicatesCallNoMethodOfAPortThatWrites() {
    methods()
        .that()
        .haveNameMatching("(is|are|has|can|wants)[A-Z].*")
        .should(
            new ArchCondition<JavaMethod>("call no method of a port that writes") {
              @Override
              public void check(JavaMethod predicate, ConditionEvents events) {
                callsThroughOwnMethods(predicate).stream()
                    .filter(ArchitectureTest::writes)
                    .map(call -> predicate.getFullName() + ": " + call.getDescription())
                    .forEach(text -> events.add(SimpleConditionEvent.violated(predicate, text)));
              }
            })
        .because("predicates change nothing; name a command with a verb")
        .check(CLASSES);
  }

  private static List<JavaMethodCall> callsThroughOwnMethods(JavaMethod method) {
    Set<JavaMethod> reached = new HashSet<>(Set.of(method));
    Deque<JavaMethod> pending = new ArrayDeque<>(reached);
    while (!pending.isEmpty()) {
      pending.pop().getMethodCallsFromSelf().stream()
          .flatMap(call -> call.getTarget().resolveMember().stream())
          .filter(called -> called.getOwner().equals(method.getOwner()) && reached.add(called))
          .forEach(pending::push);
    }
    return reached.stream().flatMap(own -> own.getMethodCallsFromSelf().stream()).toList();
  }

  private static boolean writes(JavaMethodCall call) {
    return isPort(call.getTargetOwner()) && !call.getTarget().getName().matches(READING);
  }

  /** A port is an interface that a class of an adapter implements. */
  private static boolean isPort(JavaClass type) {
    return type.isInterface()
        && type.getPackageName().startsWith("dev.carillon.")
        && type.getAllSubclasses().stream()
            .map(JavaClass::getPackageName)
            .anyMatch(name -> name.matches("dev\\.carillon\\.(dynamodb|sqs|memory)"));
  }
}
