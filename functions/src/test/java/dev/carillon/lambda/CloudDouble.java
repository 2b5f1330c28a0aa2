package dev.carillon.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** DynamoDB and SQS clients that record their calls and answer as if the services were empty. */
final class CloudDouble {

  final List<SdkRequest> requests = new ArrayList<>();
  boolean unreachable;

  DynamoDbClient dynamoDb() {
    return client(DynamoDbClient.class);
  }

  SqsClient sqs() {
    return client(SqsClient.class);
  }

  Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>();
    for (String name :
        List.of(
            "SCHEDULES_TABLE",
            "TIMERS_TABLE",
            "JOBS_TABLE",
            "GATES_TABLE",
            "STATUS_TABLE",
            "CHECK_QUEUE_URL",
            "OVERDUE_QUEUE_URL",
            "CHECK_DEAD_LETTERS_URL",
            "INGEST_QUEUE_URL",
            "INGEST_DEAD_LETTERS_URL",
            "REPORT_QUEUE_URL",
            "REPORT_DEAD_LETTERS_URL",
            "REJECTED_QUEUE_URL")) {
      environment.put(name, name);
    }
    environment.put("AWS_REGION", "us-east-1");
    environment.put("ACCOUNT_ID", "000000000000");
    environment.put("DEFAULT_ZONE", "UTC");
    environment.put("RETENTION_DAYS", "90");
    environment.put("TARGET_PREFIX", "carillon-target-");
    environment.put("ALLOWED_TARGETS", "*");
    environment.put("RESERVED_QUEUES", "x");
    environment.put("NAMESPACE_QUEUE_PREFIX", "carillon-namespace-");
    environment.put("TIMER_SHARDS", "4");
    environment.put("ATTENTION_SHARDS", "4");
    return environment;
  }

  /** The context of an invocation with ten seconds left. */
  static Context context() {
    return (Context)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, arguments) ->
                method.getName().equals("getRemainingTimeInMillis") ? 10_000 : null);
  }

  private <T> T client(Class<T> type) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (arguments != null && arguments[0] instanceof SdkRequest request) {
            return method.getName().endsWith("Paginator")
                ? unwrapped(proxy, method, arguments)
                : answer(method, request);
          }
          return method.isDefault() ? unwrapped(proxy, method, arguments) : null;
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object unwrapped(Object proxy, Method method, Object[] arguments)
      throws Throwable {
    try {
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  private synchronized Object answer(Method method, SdkRequest request)
      throws ReflectiveOperationException {
    requests.add(request);
    if (unreachable) {
      throw SdkClientException.create("the service is unavailable");
    }
    Object builder = method.getReturnType().getMethod("builder").invoke(null);
    Method build = builder.getClass().getMethod("build");
    build.setAccessible(true);
    return build.invoke(builder);
  }
}
