package dev.carillon.local;

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
                  LocalEngine.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Test
  void packagesDependOnEachOtherInOneDirection() {
    slices().matching("dev.carillon.(**)").should().beFreeOfCycles().check(own);
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
