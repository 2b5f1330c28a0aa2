package dev.carillon.campaign;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

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
}
