package dev.carillon.dynamodb;

import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClientExtension;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbExtensionContext;
import software.amazon.awssdk.enhanced.dynamodb.extensions.WriteModification;
import software.amazon.awssdk.enhanced.dynamodb.update.AddAction;
import software.amazon.awssdk.enhanced.dynamodb.update.UpdateExpression;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Makes updates add to the stored numbers instead of replacing them, without reading the item. A
 * missing number counts as 0, and a missing item is created.
 */
final class Additions implements DynamoDbEnhancedClientExtension {

  @Override
  public WriteModification beforeWrite(DynamoDbExtensionContext.BeforeWrite context) {
    Map<String, AttributeValue> key = new HashMap<>(context.items());
    key.keySet().retainAll(context.tableMetadata().primaryKeys());
    UpdateExpression.Builder all = UpdateExpression.builder();
    int number = 0;
    for (Map.Entry<String, AttributeValue> attribute : context.items().entrySet()) {
      if (!key.containsKey(attribute.getKey())) {
        String name = "#added" + number;
        String value = ":added" + number++;
        all.addAction(
            AddAction.builder()
                .path(name)
                .value(value)
                .putExpressionName(name, attribute.getKey())
                .putExpressionValue(value, attribute.getValue())
                .build());
      }
    }
    return WriteModification.builder().transformedItem(key).updateExpression(all.build()).build();
  }
}
