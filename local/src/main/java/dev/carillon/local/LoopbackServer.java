package dev.carillon.local;

import java.net.URI;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server that only programs of this machine can reach. It refuses requests that pages in a
 * browser send.
 */
final class LoopbackServer implements AutoCloseable {

  static final String LOOPBACK = "127.0.0.1";

  private static final Logger LOG = LoggerFactory.getLogger(LoopbackServer.class);
  private static final int LEAST_THREADS = 4;

  /**
   * The longest idle time of a connection. Clients drop idle connections sooner, so the server
   * never closes a connection that is about to be used.
   */
  private static final long IDLE_MILLIS = 600_000;

  private final String name;
  private final String portOption;
  private final Server server;
  private final ServerConnector connector;

  /**
   * @param port the port; 0 for any free one
   * @param portOption the option that chooses another port
   * @param mostThreads the most requests that are handled at once; idle threads end after a minute
   */
  LoopbackServer(String name, int port, String portOption, int mostThreads) {
    this.name = name;
    this.portOption = portOption;
    QueuedThreadPool threads = new QueuedThreadPool(mostThreads, LEAST_THREADS);
    threads.setMaxEvictCount(mostThreads);
    threads.setDaemon(true);
    threads.setName(name);
    server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setUriCompliance(
        UriCompliance.DEFAULT.with(
            "encoded",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING));
    connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(LOOPBACK);
    connector.setPort(port);
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addConnector(connector);
    server.setStopTimeout(0);
  }

  /** Binds the port, so that an occupied port is reported before anything else starts. */
  void open() {
    try {
      connector.open();
    } catch (Exception fault) {
      close();
      throw StartFault.port(name, connector.getPort(), portOption, fault);
    }
  }

  void start(Handler handler, Request.Handler errors) {
    server.setErrorHandler(errors);
    start(handler);
  }

  void start(Handler handler) {
    server.setHandler(new Front(handler));
    try {
      server.start();
    } catch (Exception fault) {
      close();
      throw StartFault.port(name, connector.getPort(), portOption, fault);
    }
  }

  URI address() {
    return URI.create("http://" + LOOPBACK + ":" + connector.getLocalPort());
  }

  /** Refuses requests of web pages before they reach the handler. */
  private static final class Front extends Handler.Wrapper {

    Front(Handler handler) {
      super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      HttpFields headers = request.getHeaders();
      String refusal =
          Guard.refusal(
              headers.get(HttpHeader.HOST),
              headers.get(HttpHeader.ORIGIN),
              headers.get("Sec-Fetch-Site"));
      if (refusal == null) {
        return super.handle(request, response, callback);
      }
      Problem.write(response, callback, Guard.FORBIDDEN, refusal);
      return true;
    }
  }

  @Override
  public void close() {
    try {
      connector.close();
      server.stop();
    } catch (Exception fault) {
      LOG.warn("{} did not stop cleanly", name, fault);
    }
  }
}
