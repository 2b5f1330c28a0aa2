package dev.carillon.sqs;

import dev.carillon.api.Queues;
import dev.carillon.runtime.Fanout;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Carillon's own queues on SQS. */
public final class SqsQueues implements Queues {

  private final SqsClient client;
  private final Map<String, String> urls;
  private final Fanout fanout;

  /**
   * @param urls the queues' URLs by the names that the status shows
   */
  public SqsQueues(SqsClient client, Map<String, String> urls, Fanout fanout) {
    this.client = client;
    this.urls = urls;
    this.fanout = fanout;
  }

  @Override
  public List<Depth> depths() {
    List<String> names = urls.keySet().stream().sorted().toList();
    return fanout.map(names, name -> depth(name, urls.getOrDefault(name, "")));
  }

  private Depth depth(String name, String url) {
    return new Depth(name, url, visible(client, url));
  }

  static long visible(SqsClient client, String url) {
    QueueAttributeName visible = QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES;
    String number =
        client
            .getQueueAttributes(get -> get.queueUrl(url).attributeNames(visible))
            .attributes()
            .getOrDefault(visible, "0");
    return Long.parseLong(number);
  }
}
