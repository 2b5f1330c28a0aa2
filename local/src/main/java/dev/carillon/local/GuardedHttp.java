package dev.carillon.local;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.ExtensionId;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.scaladsl.ConnectionContext;
import org.apache.pekko.http.scaladsl.Http;
import org.apache.pekko.http.scaladsl.Http$;
import org.apache.pekko.http.scaladsl.HttpExt;
import org.apache.pekko.http.scaladsl.model.HttpRequest;
import org.apache.pekko.http.scaladsl.model.HttpResponse;
import org.apache.pekko.http.scaladsl.settings.ServerSettings;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Graph;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.UniformFanInShape;
import org.apache.pekko.stream.UniformFanOutShape;
import org.apache.pekko.stream.javadsl.GraphDSL;
import org.apache.pekko.stream.javadsl.Merge;
import org.apache.pekko.stream.javadsl.Partition;
import org.apache.pekko.stream.scaladsl.Flow;
import org.jspecify.annotations.Nullable;
import scala.concurrent.Future;

/**
 * Pekko's HTTP server with the {@link Guard} before the routes. ElasticMQ binds its routes itself
 * and accepts no handler from its caller. A proxy in front of it would leave ElasticMQ's own port
 * open.
 */
final class GuardedHttp extends HttpExt {

  private static final int TO_ROUTES = 0;
  private static final int REFUSED = 1;

  private GuardedHttp(ExtendedActorSystem system) {
    super(system.settings().config().getConfig("pekko.http"), system);
  }

  /**
   * Makes all HTTP servers of the system guarded. Pekko's public methods cannot replace an
   * extension, so this method stores it in the place where the system finds extensions.
   */
  static void install(ActorSystem system) {
    try {
      Field extensions =
          Class.forName("org.apache.pekko.actor.ActorSystemImpl").getDeclaredField("extensions");
      extensions.setAccessible(true);
      @SuppressWarnings("unchecked")
      Map<ExtensionId<?>, Object> installed = (Map<ExtensionId<?>, Object>) extensions.get(system);
      installed.put(Http$.MODULE$, new GuardedHttp((ExtendedActorSystem) system));
    } catch (ReflectiveOperationException fault) {
      throw new StartFault("ElasticMQ cannot be guarded against requests of web pages", fault);
    }
  }

  @Override
  public Future<Http.ServerBinding> bindAndHandleImpl(
      Flow<HttpRequest, HttpResponse, Object> routes,
      String address,
      int port,
      ConnectionContext context,
      ServerSettings settings,
      LoggingAdapter log,
      Materializer materializer) {
    return super.bindAndHandleImpl(
        Flow.fromGraph(guarded(routes, materializer)),
        address,
        port,
        context,
        settings,
        log,
        materializer);
  }

  /**
   * Puts the guard before the routes. The answers keep the order of the requests, because a
   * connection has only one request at a time.
   */
  private static Graph<FlowShape<HttpRequest, HttpResponse>, Object> guarded(
      Flow<HttpRequest, HttpResponse, Object> routes, Materializer materializer) {
    return GraphDSL.create(
        routes,
        (graph, routed) -> {
          UniformFanOutShape<HttpRequest, HttpRequest> guard =
              graph.add(
                  Partition.create(2, request -> refusal(request) == null ? TO_ROUTES : REFUSED));
          UniformFanInShape<HttpResponse, HttpResponse> answers = graph.add(Merge.create(2));
          FlowShape<HttpRequest, HttpResponse> refuse =
              graph.add(
                  org.apache.pekko.stream.javadsl.Flow.of(HttpRequest.class)
                      .map(request -> refused(request, materializer)));
          graph.from(guard.out(TO_ROUTES)).via(routed).viaFanIn(answers);
          graph.from(guard.out(REFUSED)).via(refuse).viaFanIn(answers);
          return FlowShape.of(guard.in(), answers.out());
        });
  }

  private static HttpResponse refused(HttpRequest request, Materializer materializer) {
    request.discardEntityBytes(materializer);
    return (HttpResponse)
        org.apache.pekko.http.javadsl.model.HttpResponse.create()
            .withStatus(Guard.FORBIDDEN)
            .withEntity(String.valueOf(refusal(request)));
  }

  private static @Nullable String refusal(HttpRequest request) {
    return Guard.refusal(
        header(request, "Host"), header(request, "Origin"), header(request, "Sec-Fetch-Site"));
  }

  private static @Nullable String header(HttpRequest request, String name) {
    Optional<HttpHeader> header = request.getHeader(name);
    return header.map(HttpHeader::value).orElse(null);
  }
}
