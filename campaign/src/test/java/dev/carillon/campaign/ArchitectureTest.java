package dev.carillon.campaign;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {

  private static final String ROOT = "dev.carillon.campaign";
  private static final String JUDGE = ROOT + ".judge..";
  private static final String SYSTEM = ROOT + ".system..";

  /** The classes of the system under test: all of the project except the campaign. */
  private static final DescribedPredicate<JavaClass> JUDGED =
      resideInAPackage("dev.carillon..").and(not(resideInAPackage(ROOT + "..")));

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  @Test
  void packagesHaveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(classes);
  }

  @Test
  void everyPackageHasADescription() {
    Set<String> described = new TreeSet<>();
    Set<String> packages = new TreeSet<>();
    for (JavaClass each : classes) {
      packages.add(each.getPackageName());
      if (each.getSimpleName().equals("package-info")) {
        described.add(each.getPackageName());
      }
    }
    assertThat(described).isEqualTo(packages).isNotEmpty();
  }

  @Test
  void theJudgeDoesNotUseTheSystemUnderTest() {
    noClasses().that().resideInAPackage(JUDGE).should().dependOnClassesThat(JUDGED).check(classes);
  }

  @Test
  void theJudgeUsesNoOtherPackageOfTheCampaign() {
    noClasses()
        .that()
        .resideInAPackage(JUDGE)
        .should()
        .dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(resideInAPackage(JUDGE))))
        .check(classes);
  }

  /** Exceptions: the classes that run an episode, and record the stores at its end. */
  @Test
  void onlyTheSystemPackageUsesTheFunctions() {
    noClasses()
        .that()
        .resideOutsideOfPackage(SYSTEM)
        .and()
        .doNotHaveSimpleName("Episode")
        .and()
        .doNotHaveSimpleName("HistoryRecorder")
        .should()
        .dependOnClassesThat(JUDGED)
        .check(classes);
  }

  /**
   * Tests that only the proof runs are checked here, too: a wrong name fails them at their start.
   */
  @Test
  void eachMethodSourceExists() {
    JavaClasses tests =
        new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages(ROOT);
    methods()
        .that()
        .areAnnotatedWith(MethodSource.class)
        .should(nameAMethodOfTheirClass())
        .check(tests);
  }

  private static ArchCondition<JavaMethod> nameAMethodOfTheirClass() {
    return new ArchCondition<>("name a method of their class") {
      @Override
      public void check(JavaMethod test, ConditionEvents events) {
        for (String name : test.getAnnotationOfType(MethodSource.class).value()) {
          boolean exists = test.getOwner().tryGetMethod(name).isPresent();
          String message = test.getFullName() + " names " + name;
          events.add(new SimpleConditionEvent(test, exists, message));
        }
      }
    };
  }
}
