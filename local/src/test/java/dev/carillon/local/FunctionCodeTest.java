package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The location and the start mode of a function's artifact. */
class FunctionCodeTest {

  private static final String TEMPLATE =
      """
      Resources:
        Worker:
          Type: AWS::Serverless::Function
          Properties: { Handler: a.Handler, CodeUri: code%s }
      """;

  @TempDir private Path directory;
  private Path code;

  @BeforeEach
  void makeCode() throws IOException {
    code = Files.createDirectory(directory.resolve("code"));
  }

  @Test
  void anArtifactThatSamBuildLeftIsTakenAsItIs() throws IOException {
    assertThat(function("").code()).isEqualTo(code);
  }

  @Test
  void theCodeOfSourcesIsTheirBuild() throws IOException {
    Files.createFile(code.resolve("pom.xml"));
    assertThat(function("").code()).isEqualTo(code.resolve("target/artifact"));
  }

  @Test
  void itStartsFromASnapshotWhereTheTemplateSaysSo() throws IOException {
    assertThat(function("").snapStart()).isFalse();
    assertThat(function(", SnapStart: { ApplyOn: None }").snapStart()).isFalse();
    assertThat(function(", SnapStart: { ApplyOn: PublishedVersions }").snapStart()).isTrue();
  }

  private SamTemplate.Function function(String properties) throws IOException {
    Path file = directory.resolve("template.yaml");
    Files.writeString(file, TEMPLATE.formatted(properties));
    URI sqs = URI.create("http://127.0.0.1:9324");
    return LocalEngine.template(file, sqs).functions().get(0);
  }
}
