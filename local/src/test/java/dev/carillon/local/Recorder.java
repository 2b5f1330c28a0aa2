package dev.carillon.local;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Records a function's AWS requests and the permissions that they need. */
final class Recorder implements ExecutionInterceptor {

  final Set<Permission> needed = ConcurrentHashMap.newKeySet();
  final Set<String> operations = ConcurrentHashMap.newKeySet();

  /** Selects requests that fail. */
  volatile Predicate<SdkRequest> refused = request -> false;

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    needed.addAll(Permission.of(context.request()));
    operations.add(Permission.operation(context.request()));
    if (refused.test(context.request())) {
      throw SdkClientException.create("instructed to fail");
    }
  }
}
