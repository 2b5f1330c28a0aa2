package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import com.amazonaws.services.lambda.runtime.LambdaRuntime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The Lambda context of one invocation. */
final class LocalContext implements Context {

  private final SamTemplate.Function function;
  private final String requestId = UUID.randomUUID().toString();
  private final long deadlineNanos;

  LocalContext(SamTemplate.Function function) {
    this.function = function;
    this.deadlineNanos = System.nanoTime() + function.timeout().toNanos();
  }

  @Override
  public String getAwsRequestId() {
    return requestId;
  }

  @Override
  public String getLogGroupName() {
    return "/aws/lambda/" + function.name();
  }

  @Override
  public String getLogStreamName() {
    return "local";
  }

  @Override
  public String getFunctionName() {
    return function.name();
  }

  @Override
  public String getFunctionVersion() {
    return "$LATEST";
  }

  @Override
  public String getInvokedFunctionArn() {
    return LocalAccount.functionArn(function.name());
  }

  @Override
  public @Nullable CognitoIdentity getIdentity() {
    return null;
  }

  @Override
  public @Nullable ClientContext getClientContext() {
    return null;
  }

  @Override
  public int getRemainingTimeInMillis() {
    return (int) Math.max(0, (deadlineNanos - System.nanoTime()) / 1_000_000);
  }

  @Override
  public int getMemoryLimitInMB() {
    return function.memoryMegabytes();
  }

  @Override
  public LambdaLogger getLogger() {
    return LambdaRuntime.getLogger();
  }
}
