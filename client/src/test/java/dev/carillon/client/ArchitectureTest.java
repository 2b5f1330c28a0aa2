package dev.carillon.client;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  private final JavaClasses own = own();

  private static JavaClasses own() {
    try {
      return new ClassFileImporter()
          .importPath(
              Path.of(
                  CarillonClient.class
                      .getProtectionDomain()
                      .getCodeSource()
                      .getLocation()
                      .toURI()));
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Test
  void packagesDependOnEachOtherInOneDirection() {
    slices().matching("dev.carillon.(**)").should().beFreeOfCycles().check(own);
  }

  /** A newer server can send values that an enum lacks, and Jackson would refuse the answer. */
  @Test
  void answersKeepTheNamesOfValuesInsteadOfEnums() {
    for (JavaClass each : own) {
      if (each.isRecord() && each.getPackageName().equals("dev.carillon.client")) {
        assertThat(each.getFields())
            .allSatisfy(
                field -> assertThat(field.getAllInvolvedRawTypes()).noneMatch(JavaClass::isEnum));
      }
    }
  }

  @Test
  void everyPackageHasADescription() {
    Set<String> described = new TreeSet<>();
    Set<String> packages = new TreeSet<>();
    for (JavaClass each : own) {
      packages.add(each.getPackageName());
      if (each.getSimpleName().equals("package-info")) {
        described.add(each.getPackageName());
      }
    }
    assertThat(described).isEqualTo(packages).isNotEmpty();
  }
}
