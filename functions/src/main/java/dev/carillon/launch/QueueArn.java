package dev.carillon.launch;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ARN of an SQS queue: {@code arn:aws:sqs:region:account:name}. */
public record QueueArn(String partition, String region, String account, String name) {

  /** The suffix of the names of FIFO queues. */
  static final String FIFO = ".fifo";

  static final int LONGEST_NAME = 80;

  private static final Pattern FORM =
      Pattern.compile("arn:(aws[a-z-]*):sqs:([a-z0-9-]+):([0-9]{12}):([^:]+)");

  /**
   * For each prefix of regions, the partition of these regions; all other regions are in {@code
   * aws}.
   */
  private static final Map<String, String> PARTITIONS =
      Map.of(
          "cn-", "aws-cn",
          "us-gov-", "aws-us-gov",
          "us-iso-", "aws-iso",
          "us-isob-", "aws-iso-b",
          "eu-isoe-", "aws-iso-e",
          "us-isof-", "aws-iso-f",
          "eusc-", "aws-eusc");

  private static final Pattern NAME =
      Pattern.compile("(?=.{1," + LONGEST_NAME + "}$)[A-Za-z0-9_-]+(\\.fifo)?");

  /** The ARN in the partition that the region belongs to. */
  static QueueArn of(String region, String account, String name) {
    return new QueueArn(partitionOf(region), region, account, checkedName(name));
  }

  /**
   * @throws IllegalArgumentException if the text is not the ARN of an SQS queue; the message has
   *     the reason
   */
  public static QueueArn parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is not the ARN of an SQS queue; give arn:aws:sqs:REGION:ACCOUNT:NAME"
              .formatted(text));
    }
    return new QueueArn(form.group(1), form.group(2), form.group(3), checkedName(form.group(4)));
  }

  /**
   * Whether the partition of the ARN is the partition of its region. SQS finds a queue by account
   * and name alone, so an ARN with another partition would name the same queue in a form that no
   * pattern matches.
   */
  boolean isPartitionOfRegion() {
    return partition.equals(partitionOf(region));
  }

  public boolean isFifo() {
    return name.endsWith(FIFO);
  }

  /**
   * @throws IllegalArgumentException if no queue can have the name; the message has the reason
   */
  static String checkedName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          ("\"%s\" is not a queue name; give 1 to 80 letters, digits, _ and -,"
                  + " with .fifo at the end for a FIFO queue")
              .formatted(name));
    }
    return name;
  }

  private static String partitionOf(String region) {
    for (Map.Entry<String, String> partition : PARTITIONS.entrySet()) {
      if (region.startsWith(partition.getKey())) {
        return partition.getValue();
      }
    }
    return "aws";
  }

  @Override
  public String toString() {
    return "arn:%s:sqs:%s:%s:%s".formatted(partition, region, account, name);
  }
}
