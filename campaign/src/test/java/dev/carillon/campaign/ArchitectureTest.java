package dev.carillon.campaign;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.carillon.campaign", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String ROOT = "dev.carillon.campaign";
  private static final String JUDGE = ROOT + ".judge..";
  private static final String SYSTEM = ROOT + ".system..";

  /** The classes of the functions: all of the project but the campaign. */
  private static final DescribedPredicate<JavaClass> JUDGED =
      resideInAPackage("dev.carillon..").and(not(resideInAPackage(ROOT + "..")));

  @ArchTest
  static final ArchRule roomsFormNoCircle =
      slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule theJudgeUsesNothingThatItJudges =
      noClasses().that().resideInAPackage(JUDGE).should().dependOnClassesThat(JUDGED);

  @ArchTest
  static final ArchRule theJudgeUsesNoOtherRoom =
      noClasses()
          .that()
          .resideInAPackage(JUDGE)
          .should()
          .dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(resideInAPackage(JUDGE))));

  /** What plays an episode and what writes down how the stores look in the end. */
  @ArchTest
  static final ArchRule fewKnowTheFunctions =
      noClasses()
          .that()
          .resideOutsideOfPackage(SYSTEM)
          .and()
          .doNotHaveSimpleName("Episode")
          .and()
          .haveSimpleNameNotStartingWith("Historian")
          .should()
          .dependOnClassesThat(JUDGED);
}
