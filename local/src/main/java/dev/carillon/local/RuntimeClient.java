package dev.carillon.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * AWS's runtime interface client for Java. The managed runtime starts this client in a process, and
 * the client loads the function into that process.
 */
final class RuntimeClient {

  private static final String MAIN = "com.amazonaws.services.lambda.runtime.api.client.AWSLambda";
  private static final String NATIVE_PROPERTY =
      "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI";

  /** One class of each library of the client. */
  private static final List<String> LIBRARIES =
      List.of(
          MAIN,
          "com.amazonaws.services.lambda.runtime.LambdaRuntime",
          "com.amazonaws.services.lambda.runtime.serialization.PojoSerializer",
          "software.amazon.awssdk.utilslite.SdkInternalThreadLocal");

  private final String classPath;
  private final Path nativeLibrary;

  private RuntimeClient(String classPath, Path nativeLibrary) {
    this.classPath = classPath;
    this.nativeLibrary = nativeLibrary;
  }

  /**
   * The client on this engine's class path.
   *
   * @throws StartFault if it does not run on this machine
   */
  static RuntimeClient ofThisEngine() {
    List<String> libraries = LIBRARIES.stream().map(RuntimeClient::library).toList();
    return new RuntimeClient(
        String.join(System.getProperty("path.separator"), libraries), unpacked());
  }

  private static String library(String className) {
    try {
      URI place = loaded(className).getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(place).toString();
    } catch (URISyntaxException fault) {
      throw new IllegalStateException(fault);
    }
  }

  private static Class<?> loaded(String className) {
    try {
      return Class.forName(className, false, RuntimeClient.class.getClassLoader());
    } catch (ClassNotFoundException fault) {
      throw new IllegalStateException("the runtime interface client is not complete", fault);
    }
  }

  /**
   * Unpacks the client's native library into a file of this engine. By default all processes would
   * write it to the same file, and one could load the file while another is still writing it.
   */
  private static Path unpacked() {
    String name = "/jni/libaws-lambda-jni.linux-" + architecture() + ".so";
    try (InputStream library =
        Objects.requireNonNull(loaded(MAIN).getResourceAsStream(name), name)) {
      Path file = Files.createTempFile("carillon-runtime-client", ".so");
      file.toFile().deleteOnExit();
      Files.write(file, library.readAllBytes());
      return file;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static String architecture() {
    String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    return switch (machine) {
      case "Linux amd64" -> "x86_64";
      case "Linux aarch64" -> "aarch_64";
      default ->
          throw new StartFault(
              "--isolated needs Linux on x86-64 or arm64, as AWS's runtime interface client does;"
                  + " this machine is "
                  + machine
                  + "; start without --isolated");
    };
  }

  /**
   * The command that runs a handler as the managed runtime does: with the same collector, only the
   * C1 compiler, and a heap sized by the function's memory.
   */
  List<String> command(String handler, int memoryMegabytes) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:MaxRAM=" + memoryMegabytes + "m",
            "-XX:MaxRAMPercentage=75",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-Dfile.encoding=UTF-8",
            "-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac",
            "-D" + NATIVE_PROPERTY + "=" + nativeLibrary,
            "-cp",
            classPath,
            MAIN,
            handler));
    return command;
  }
}
