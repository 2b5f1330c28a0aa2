package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that the policies of each function allow exactly the calls that it makes. The calls are
 * recorded in {@link EveryCall}. The byte code shows that no operation is missing in the record. It
 * does not show the table of a call, so a call that no scenario makes is found only if its function
 * uses the operation on no other table.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PermissionsTest {

  /** Operations only used on the local engine, which enforces no policy. */
  private static final Set<String> LOCAL_ONLY = Set.of("sqs.createQueue");

  private final CloudFormation template =
      new CloudFormation(
          Path.of("../template.yaml"), "carillon", Map.of(), URI.create("http://localhost"));
  private final Policies policies = new Policies(template);
  private final Map<String, SamTemplate.Function> functions =
      SamTemplate.of(template).functions().stream()
          .collect(Collectors.toMap(SamTemplate.Function::name, it -> it));
  private EveryCall calls;

  @BeforeAll
  void record() {
    calls = new EveryCall();
  }

  @AfterAll
  void close() {
    calls.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        EveryCall.MASTER,
        EveryCall.INGEST,
        EveryCall.CHECKER,
        EveryCall.API,
        EveryCall.REPORT
      })
  void everyOperationThatTheCodeHoldsIsRecorded(String function) {
    Set<String> reachable =
        new TreeSet<>(ReachableOperations.of(functions.get(function).handler()));
    reachable.removeAll(LOCAL_ONLY);
    assertThat(new TreeSet<>(calls.recorders.get(function).operations)).isEqualTo(reachable);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        EveryCall.MASTER,
        EveryCall.INGEST,
        EveryCall.CHECKER,
        EveryCall.API,
        EveryCall.REPORT
      })
  void onlyTheNeededActionsAreAllowed(String function) {
    Set<Permission> needed = needed(function);
    Set<Permission> allowed = policies.permissions(function, "Allow");
    assertThat(needed)
        .as("needed, but not allowed")
        .filteredOn(it -> !covers(allowed, it))
        .isEmpty();
    assertThat(allowed)
        .as("allowed, but not needed")
        .filteredOn(it -> needed.stream().noneMatch(it::covers))
        .isEmpty();
    assertThat(needed)
        .as("needed, but denied")
        .filteredOn(it -> covers(policies.permissions(function, "Deny"), it))
        .isEmpty();
  }

  private static boolean covers(Set<Permission> of, Permission needed) {
    return of.stream().anyMatch(it -> it.covers(needed));
  }

  /**
   * The permissions of the recorded calls, and those that Lambda needs to poll for the function.
   */
  private Set<Permission> needed(String function) {
    Set<Permission> needed = new HashSet<>(calls.recorders.get(function).needed);
    for (EventSource source : functions.get(function).sources()) {
      if (source instanceof EventSource.Queue queue) {
        needed.addAll(Permission.polling(queue.queueArn()));
      }
    }
    return needed;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "check-dead-letters",
        "ingest-dead-letters",
        "report",
        "report-dead-letters",
        "namespace-a"
      })
  void theCheckerIsDeniedCarillonsOwnQueues(String queue) {
    Permission send = new Permission("sqs:SendMessage", LocalAccount.queueArn("carillon-" + queue));
    assertThat(covers(policies.permissions(EveryCall.CHECKER, "Deny"), send)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        EveryCall.MASTER,
        EveryCall.INGEST,
        EveryCall.CHECKER,
        EveryCall.API,
        EveryCall.REPORT
      })
  void aFunctionWritesToItsOwnLogOnly(String function) {
    List<Policies.Statement> logs =
        policies.statements(function).stream()
            .filter(it -> it.actions().stream().anyMatch(action -> action.startsWith("logs:")))
            .toList();
    assertThat(logs).hasSize(1);
    assertThat(logs.get(0).actions())
        .containsExactlyInAnyOrder("logs:CreateLogStream", "logs:PutLogEvents");
    String own = function.replace("Function", "Logs");
    assertThat(logs.get(0).resources().toString())
        .isEqualTo("[{\"Fn::GetAtt\":[\"" + own + "\",\"Arn\"]}]");
  }
}
