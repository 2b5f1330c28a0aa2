package dev.carillon.cli.connection;

import dev.carillon.cli.output.CommandFault;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.regions.Region;

/**
 * Reads the outputs of a CloudFormation stack by one signed request. The SDK's client for
 * CloudFormation has several megabytes, which is too much for one request.
 */
final class StackOutputs {

  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final int OK = 200;

  /** The variables that name another endpoint; the first one takes precedence. */
  private static final List<String> ENDPOINTS =
      List.of("AWS_ENDPOINT_URL_CLOUDFORMATION", "AWS_ENDPOINT_URL");

  private final String region;
  private final AwsCredentialsProvider credentials;
  private final String endpoint;

  /**
   * @param environment if {@code AWS_ENDPOINT_URL_CLOUDFORMATION} or {@code AWS_ENDPOINT_URL} is
   *     set and not empty, it names another endpoint, as for any client of the SDK
   */
  StackOutputs(String region, AwsCredentialsProvider credentials, Map<String, String> environment) {
    this.region = region;
    this.credentials = credentials;
    this.endpoint = endpoint(region, environment);
  }

  static String endpoint(String region, Map<String, String> environment) {
    return ENDPOINTS.stream()
        .map(variable -> environment.getOrDefault(variable, ""))
        .filter(url -> !url.isEmpty())
        .findFirst()
        .orElseGet(
            () ->
                "https://cloudformation.%s.%s"
                    .formatted(region, Region.of(region).metadata().partition().dnsSuffix()));
  }

  /**
   * The output {@code ApiUrl} of a stack.
   *
   * @throws CommandFault if the stack cannot be read or has no such output
   */
  URI apiUrl(String stack) {
    HttpResponse<byte[]> answer = describe(stack);
    if (answer.statusCode() != OK) {
      throw new CommandFault(
          "the stack %s cannot be read in %s: %s; check its name, the region and the profile, and allow cloudformation:DescribeStacks"
              .formatted(stack, region, text(answer, "//*[local-name()='Message']")));
    }
    String url =
        text(
            answer,
            "//*[local-name()='Outputs']/*[*[local-name()='OutputKey']='ApiUrl']/*[local-name()='OutputValue']");
    if (url.isEmpty()) {
      throw new CommandFault(
          "the stack " + stack + " has no output ApiUrl; name a stack of Carillon, or give --url");
    }
    return URI.create(url);
  }

  private HttpResponse<byte[]> describe(String stack) {
    URI uri =
        URI.create(
            endpoint
                + "/?Action=DescribeStacks&StackName="
                + URLEncoder.encode(stack, StandardCharsets.UTF_8)
                + "&Version=2010-05-15");
    try {
      return HttpClient.newHttpClient().send(signed(uri), BodyHandlers.ofByteArray());
    } catch (IOException unreachable) {
      throw new CommandFault(
          "CloudFormation does not answer at %s; check --region and the network"
              .formatted(endpoint),
          unreachable);
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new CommandFault("interrupted while reading the stack " + stack, interruption);
    }
  }

  private HttpRequest signed(URI uri) {
    SdkHttpRequest request = SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(uri).build();
    HttpRequest.Builder signed = HttpRequest.newBuilder(uri).timeout(LONGEST);
    AwsV4HttpSigner.create()
        .sign(
            sign ->
                sign.identity(credentials.resolveCredentials())
                    .request(request)
                    .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "cloudformation")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region))
        .request()
        .forEachHeader(
            (name, values) -> {
              if (!name.equalsIgnoreCase("host")) {
                values.forEach(value -> signed.header(name, value));
              }
            });
    return signed.build();
  }

  private static String text(HttpResponse<byte[]> answer, String path) {
    XPath paths = XPathFactory.newInstance().newXPath();
    try {
      String text = paths.evaluate(path, parsed(answer.body()));
      return text.isEmpty() && answer.statusCode() != OK ? "HTTP " + answer.statusCode() : text;
    } catch (XPathExpressionException
        | SAXException
        | IOException
        | ParserConfigurationException strange) {
      throw new CommandFault(
          "the answer of CloudFormation is not XML; check its endpoint", strange);
    }
  }

  private static Document parsed(byte[] xml)
      throws SAXException, IOException, ParserConfigurationException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    factory.setNamespaceAware(true);
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(xml));
  }
}
