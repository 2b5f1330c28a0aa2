package dev.carillon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** A file and a method fit on a few screens. The lines of a method do not include its Javadoc. */
class SourceSizeTest {

  private static final Path MAIN = Path.of("src/main/java");
  private static final int LONGEST_FILE = 300;
  private static final int LONGEST_METHOD = 40;

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  @Test
  void aFileHasAtMost300Lines() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : sources()) {
      int lines = Files.readAllLines(file).size();
      if (lines > LONGEST_FILE) {
        tooLong.add(MAIN.relativize(file) + ": " + lines);
      }
    }
    assertThat(tooLong).isEmpty();
  }

  @Test
  void aMethodHasAtMost40Lines() throws IOException {
    List<Method> methods = methods(sources());
    assertThat(methods).hasSizeGreaterThan(2_000);
    assertThat(methods).filteredOn(method -> method.lines() > LONGEST_METHOD).isEmpty();
  }

  /** A method or constructor, from its first annotation or modifier to its last brace. */
  private record Method(String file, long line, String name, long lines) {}

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(MAIN)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  private static List<Method> methods(List<Path> files) throws IOException {
    try (StandardJavaFileManager manager = COMPILER.getStandardFileManager(null, null, UTF_8)) {
      JavacTask task =
          (JavacTask)
              COMPILER.getTask(
                  null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      List<Method> found = new ArrayList<>();
      for (CompilationUnitTree unit : task.parse()) {
        new Methods(unit, positions, found).scan(unit, null);
      }
      return found;
    }
  }

  private static final class Methods extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<Method> found;

    Methods(CompilationUnitTree unit, SourcePositions positions, List<Method> found) {
      this.unit = unit;
      this.positions = positions;
      this.found = found;
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
      long first = line(positions.getStartPosition(unit, method));
      long last = line(positions.getEndPosition(unit, method));
      String file = Path.of(unit.getSourceFile().getName()).getFileName().toString();
      found.add(new Method(file, first, method.getName().toString(), last - first + 1));
      return super.visitMethod(method, none);
    }

    private long line(long position) {
      assertThat(position).isNotEqualTo(Diagnostic.NOPOS);
      return unit.getLineMap().getLineNumber(position);
    }
  }
}
