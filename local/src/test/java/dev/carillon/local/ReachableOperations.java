package dev.carillon.local;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The AWS operations that a handler's code can reach, computed from the byte code. Calls of an
 * interface lead to all its implementations, so operations that no test triggers are found too.
 */
final class ReachableOperations {

  private static final String OURS = "dev.carillon.";

  /**
   * Classes that work in memory, checked by a test of {@code functions/}, or with a client without
   * a destination.
   */
  private static final List<String> IN_MEMORY =
      List.of(
          "dev.carillon.memory.",
          "dev.carillon.simulation.",
          "dev.carillon.dynamodb.StoreWarmup",
          "dev.carillon.sqs.QueueWarmup");

  private static final List<String> SERVICES =
      List.of(
          "software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient",
          "software.amazon.awssdk.enhanced.dynamodb.DynamoDbIndex",
          "software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable",
          "software.amazon.awssdk.services.dynamodb.DynamoDbClient",
          "software.amazon.awssdk.services.sqs.SqsClient");
  private static final Set<String> NO_REQUESTS =
      Set.of("builder", "close", "table", "index", "tableName", "tableSchema", "keyFrom");
  private static final String PAGINATOR = "Paginator";

  /** The classes of {@code functions/}, in their folder or their jar. */
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(location -> location.contains("functions"))
          .importPackages("dev.carillon");

  private final JavaClass handler;
  private final Set<String> operations = new TreeSet<>();
  private final Set<JavaCodeUnit> seen = new HashSet<>();
  private final Deque<JavaCodeUnit> open = new ArrayDeque<>();

  private ReachableOperations(JavaClass handler) {
    this.handler = handler;
  }

  /** The operations, like {@code dynamodb.query}. */
  static Set<String> of(String handler) {
    ReachableOperations search = new ReachableOperations(CLASSES.get(handler));
    search.handler.getCodeUnits().forEach(search::reach);
    while (!search.open.isEmpty()) {
      search.follow(search.open.pop());
    }
    return search.operations;
  }

  private void reach(JavaCodeUnit unit) {
    if (seen.add(unit)) {
      open.push(unit);
    }
  }

  private void follow(JavaCodeUnit unit) {
    unit.getOwner().getStaticInitializer().ifPresent(this::reach);
    if (unit.isConstructor()) {
      reachCalledMethods(unit.getOwner());
    }
    unit.getCallsFromSelf().forEach(this::followAccess);
    unit.getMethodReferencesFromSelf().forEach(this::followAccess);
    unit.getConstructorReferencesFromSelf().forEach(this::followAccess);
  }

  private void followAccess(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getTarget().getName();
    if (SERVICES.contains(owner.getName()) && !NO_REQUESTS.contains(name)) {
      operations.add(
          owner.getPackageName().replaceAll(".*\\.", "") + "." + name.replace(PAGINATOR, ""));
    } else if (owner.getName().startsWith(OURS)) {
      reachNamed(owner, name);
      implementations(owner).forEach(implementation -> reachNamed(implementation, name));
    }
  }

  /** The implementations of a class; of all handlers only the one of this process. */
  private Collection<JavaClass> implementations(JavaClass owner) {
    return handler.getAllRawSuperclasses().contains(owner)
        ? Set.of(handler)
        : owner.getAllSubclasses();
  }

  private void reachNamed(JavaClass owner, String name) {
    if (IN_MEMORY.stream().noneMatch(owner.getName()::startsWith)) {
      owner.getAllMembers().stream()
          .filter(JavaCodeUnit.class::isInstance)
          .map(JavaCodeUnit.class::cast)
          .filter(unit -> unit.getName().equals(name))
          .filter(unit -> unit.getOwner().getName().startsWith(OURS))
          .filter(unit -> !unit.isConstructor() || unit.getOwner().equals(owner))
          .forEach(this::reach);
    }
  }

  /** The methods of an instantiated class that the JDK or the SDK calls back. */
  private void reachCalledMethods(JavaClass made) {
    Set<String> foreign = new HashSet<>();
    made.getAllRawInterfaces().stream()
        .filter(type -> !type.getName().startsWith(OURS))
        .flatMap(type -> Arrays.stream(methodsOf(type)))
        .forEach(foreign::add);
    made.getMethods().stream()
        .filter(method -> foreign.contains(method.getName()))
        .map(JavaMethod.class::cast)
        .forEach(this::reach);
  }

  private static String[] methodsOf(JavaClass type) {
    return Arrays.stream(type.reflect().getMethods())
        .map(java.lang.reflect.Method::getName)
        .toArray(String[]::new);
  }
}
