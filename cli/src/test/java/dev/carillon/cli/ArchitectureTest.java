package dev.carillon.cli;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  @Test
  void packagesDependOnEachOtherInOneDirection() throws URISyntaxException {
    Path own = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    slices()
        .matching("dev.carillon.(**)")
        .should()
        .beFreeOfCycles()
        .check(new ClassFileImporter().importPath(own));
  }
}
