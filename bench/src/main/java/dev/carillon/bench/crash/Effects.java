package dev.carillon.bench.crash;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * The side effects of the workers: a counter for each job. Handlers add to it, with the number of
 * their attempt as the fencing token.
 */
final class Effects {

  private static final String TABLE = "effects";
  private static final String KEY = "jobId";

  private final DynamoDbClient client;

  Effects(DynamoDbClient client) {
    this.client = client;
  }

  /**
   * The effects for one job.
   *
   * @param begun the attempts that began, including those whose workers were killed
   * @param happened how often the effect happened
   */
  record Effect(int begun, int happened) {}

  void createTable() {
    client.createTable(
        create ->
            create
                .tableName(TABLE)
                .keySchema(
                    KeySchemaElement.builder().attributeName(KEY).keyType(KeyType.HASH).build())
                .attributeDefinitions(
                    AttributeDefinition.builder()
                        .attributeName(KEY)
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .billingMode(BillingMode.PAY_PER_REQUEST));
  }

  /**
   * Stores the number of the attempt, so that no earlier attempt can add to the counter. The result
   * is false if the effect has happened already.
   *
   * @throws IllegalStateException if a later attempt has begun
   */
  boolean begin(String jobId, int attempt) {
    Optional<Map<String, AttributeValue>> refused =
        update(
            jobId,
            attempt,
            "SET attempt = :attempt ADD begun :one",
            "attribute_not_exists(doneBy)"
                + " AND (attribute_not_exists(attempt) OR attempt <= :attempt)");
    refused.ifPresent(stored -> requireDone(stored, attempt));
    return refused.isEmpty();
  }

  /**
   * Carries out the effect, unless it has happened already.
   *
   * @throws IllegalStateException if a later attempt has begun
   */
  void happen(String jobId, int attempt) {
    update(
            jobId,
            attempt,
            "SET doneBy = :attempt ADD happened :one",
            "attribute_not_exists(doneBy) AND attempt = :attempt")
        .ifPresent(stored -> requireDone(stored, attempt));
  }

  private static void requireDone(Map<String, AttributeValue> stored, int attempt) {
    if (!stored.containsKey("doneBy")) {
      throw new IllegalStateException("a later attempt than " + attempt + " has begun");
    }
  }

  /**
   * Updates the item of a job. Returns the stored item if the condition does not hold; otherwise
   * nothing.
   */
  private Optional<Map<String, AttributeValue>> update(
      String jobId, int attempt, String update, String condition) {
    try {
      client.updateItem(
          it ->
              it.tableName(TABLE)
                  .key(Map.of(KEY, AttributeValue.fromS(jobId)))
                  .updateExpression(update)
                  .conditionExpression(condition)
                  .expressionAttributeValues(
                      Map.of(
                          ":attempt",
                          AttributeValue.fromN(Integer.toString(attempt)),
                          ":one",
                          AttributeValue.fromN("1")))
                  .returnValuesOnConditionCheckFailure(
                      ReturnValuesOnConditionCheckFailure.ALL_OLD));
      return Optional.empty();
    } catch (ConditionalCheckFailedException refused) {
      return Optional.of(refused.item());
    }
  }

  /** The effects by job. */
  Map<String, Effect> all() {
    Map<String, Effect> all = new HashMap<>();
    client
        .scanPaginator(scan -> scan.tableName(TABLE).consistentRead(true))
        .items()
        .forEach(item -> all.put(Objects.requireNonNull(item.get(KEY)).s(), effect(item)));
    return all;
  }

  private static Effect effect(Map<String, AttributeValue> item) {
    return new Effect(number(item, "begun"), number(item, "happened"));
  }

  private static int number(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null ? 0 : Integer.parseInt(value.n());
  }

  /** How many jobs have had their effect. */
  static int happened(Map<String, Effect> all) {
    return (int) all.values().stream().filter(effect -> effect.happened() > 0).count();
  }

  /** The faults, as one sentence each, under the assumption that all jobs have succeeded. */
  static List<String> faults(Map<String, Effect> all, List<String> jobs) {
    Map<String, Effect> unknown = new HashMap<>(all);
    jobs.forEach(unknown::remove);
    List<String> faults = new ArrayList<>();
    for (String job : jobs) {
      int happened = all.getOrDefault(job, new Effect(0, 0)).happened();
      if (happened != 1) {
        faults.add("the effect of %s happened %d times".formatted(job, happened));
      }
    }
    unknown.keySet().forEach(job -> faults.add("an effect of the unknown job " + job));
    return faults;
  }
}
