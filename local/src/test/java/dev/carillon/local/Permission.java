package dev.carillon.local;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.ListMessageMoveTasksRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.StartMessageMoveTaskRequest;

/**
 * An action of IAM on a resource.
 *
 * @param resource an ARN; in a policy it may contain {@code *}
 */
record Permission(String action, String resource) {

  /** Whether this permission of a policy covers a needed one. */
  boolean covers(Permission needed) {
    String expression =
        Stream.of(resource.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return action.equals(needed.action) && needed.resource.matches(expression);
  }

  /** The permissions that a request needs, as AWS documents them for each operation. */
  static Set<Permission> of(SdkRequest request) {
    if (request instanceof PutItemRequest put) {
      return Set.of(onTable("PutItem", put.tableName(), null));
    } else if (request instanceof GetItemRequest get) {
      return Set.of(onTable("GetItem", get.tableName(), null));
    } else if (request instanceof UpdateItemRequest update) {
      return Set.of(onTable("UpdateItem", update.tableName(), null));
    } else if (request instanceof DeleteItemRequest delete) {
      return Set.of(onTable("DeleteItem", delete.tableName(), null));
    } else if (request instanceof QueryRequest query) {
      return Set.of(onTable("Query", query.tableName(), query.indexName()));
    } else if (request instanceof ScanRequest scan) {
      return Set.of(onTable("Scan", scan.tableName(), scan.indexName()));
    } else if (request instanceof BatchGetItemRequest batch) {
      return onTables("BatchGetItem", batch.requestItems().keySet());
    } else if (request instanceof BatchWriteItemRequest batch) {
      return onTables("BatchWriteItem", batch.requestItems().keySet());
    } else if (request instanceof TransactWriteItemsRequest transaction) {
      return transaction.transactItems().stream()
          .map(Permission::ofItem)
          .collect(Collectors.toSet());
    } else if (request instanceof SendMessageBatchRequest batch) {
      return Set.of(onQueue("SendMessage", batch.queueUrl()));
    } else if (request instanceof GetQueueAttributesRequest get) {
      return Set.of(onQueue("GetQueueAttributes", get.queueUrl()));
    } else if (request instanceof GetQueueUrlRequest get) {
      return Set.of(onQueue("GetQueueUrl", get.queueName()));
    } else if (request instanceof ListMessageMoveTasksRequest list) {
      return Set.of(new Permission("sqs:ListMessageMoveTasks", list.sourceArn()));
    } else if (request instanceof StartMessageMoveTaskRequest start) {
      return moving(start.sourceArn(), start.destinationArn());
    }
    throw new AssertionError("say here what IAM wants for " + request.getClass().getSimpleName());
  }

  /** The permission for an item of a transaction. */
  private static Permission ofItem(TransactWriteItem item) {
    if (item.put() != null) {
      return onTable("PutItem", item.put().tableName(), null);
    } else if (item.delete() != null) {
      return onTable("DeleteItem", item.delete().tableName(), null);
    } else if (item.update() != null) {
      return onTable("UpdateItem", item.update().tableName(), null);
    }
    return onTable("ConditionCheckItem", item.conditionCheck().tableName(), null);
  }

  /** The permissions to move messages; SQS uses those of the caller. */
  private static Set<Permission> moving(String source, String destination) {
    Set<Permission> needed = new HashSet<>(polling(source));
    needed.add(new Permission("sqs:StartMessageMoveTask", source));
    needed.add(new Permission("sqs:SendMessage", destination));
    return needed;
  }

  /** The permissions that Lambda needs in the function's role to poll its queue. */
  static Set<Permission> polling(String queueArn) {
    return Stream.of("ReceiveMessage", "DeleteMessage", "GetQueueAttributes")
        .map(action -> new Permission("sqs:" + action, queueArn))
        .collect(Collectors.toSet());
  }

  private static Set<Permission> onTables(String action, Collection<String> tables) {
    return tables.stream().map(table -> onTable(action, table, null)).collect(Collectors.toSet());
  }

  private static Permission onTable(String action, String table, @Nullable String index) {
    String arn = LocalAccount.tableArn(table);
    return new Permission("dynamodb:" + action, index == null ? arn : arn + "/index/" + index);
  }

  private static Permission onQueue(String action, String urlOrName) {
    String name = urlOrName.substring(urlOrName.lastIndexOf('/') + 1);
    return new Permission("sqs:" + action, LocalAccount.queueArn(name));
  }

  /** The operation of a request, like {@code dynamodb.query}. */
  static String operation(SdkRequest request) {
    List<String> packages = List.of(request.getClass().getPackageName().split("\\."));
    String name = request.getClass().getSimpleName().replaceAll("Request$", "");
    String service = packages.get(packages.size() - 2);
    return service + "." + name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }
}
