package dev.carillon.local;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.elasticmq.persistence.sql.DB;
import org.elasticmq.persistence.sql.SqlQueuePersistenceConfig;
import scalikejdbc.ConnectionPool;

/** The H2 database in which ElasticMQ keeps its queues. */
final class QueueFile implements AutoCloseable {

  private static final String DRIVER = "org.h2.Driver";

  /**
   * The longest retention of SQS, which all queues of the template have. ElasticMQ does not store
   * the retention of other queues.
   */
  private static final Duration RETENTION = Duration.ofDays(14);

  private final String url;

  QueueFile(Path directory) {
    // By default, H2 writes to disk half a second late, which could lose accepted messages. H2 must
    // not close when the JVM begins to shut down, because functions may still be running.
    url =
        "jdbc:h2:"
            + directory.toAbsolutePath().resolve("queues")
            + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
  }

  /** The address of the database. */
  String url() {
    return url;
  }

  /** Opens the one connection pool that ElasticMQ has in a JVM; returns its configuration. */
  SqlQueuePersistenceConfig open() {
    SqlQueuePersistenceConfig config =
        new SqlQueuePersistenceConfig(true, DRIVER, url, "", "", false);
    // ElasticMQ opens its pool only once per JVM, and would ignore a second directory.
    DB.initializeSingleton(config);
    ConnectionPool.singleton(
        url,
        "",
        "",
        ConnectionPool.singleton$default$4(),
        ConnectionPool.DEFAULT_CONNECTION_POOL_FACTORY());
    return config;
  }

  /**
   * Deletes messages that have expired, because ElasticMQ deletes none. Makes messages visible
   * again if the last engine left them in flight, because their receivers can no longer acknowledge
   * them.
   */
  void prepare() {
    long now = System.currentTimeMillis();
    try (Connection connection = DriverManager.getConnection(url)) {
      for (String table : messageTables(connection)) {
        deleteExpired(connection, table, now);
        returnInFlight(connection, table, now);
      }
    } catch (SQLException fault) {
      throw new StartFault("the stored queues cannot be opened: " + fault.getMessage(), fault);
    }
  }

  /** The names of the tables that have the messages, one for each queue. */
  static List<String> messageTables(Connection connection) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (ResultSet rows = connection.getMetaData().getTables(null, null, "%", null)) {
      while (rows.next()) {
        String name = rows.getString("TABLE_NAME");
        if (name.regionMatches(true, 0, "message_", 0, "message_".length())) {
          tables.add(name);
        }
      }
    }
    return tables;
  }

  private static void deleteExpired(Connection connection, String table, long now)
      throws SQLException {
    String delete = "delete from \"" + table + "\" where created < ?";
    try (PreparedStatement statement = connection.prepareStatement(delete)) {
      statement.setLong(1, now - RETENTION.toMillis());
      statement.executeUpdate();
    }
  }

  private static void returnInFlight(Connection connection, String table, long now)
      throws SQLException {
    String update =
        "update \""
            + table
            + "\" set next_delivery = ? where receive_count > 0 and next_delivery > ?";
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      statement.setLong(1, now);
      statement.setLong(2, now);
      statement.executeUpdate();
    }
  }

  /**
   * Closes the connections that ElasticMQ leaves open. H2 closes the file when its last connection
   * is closed.
   */
  @Override
  public void close() {
    ConnectionPool.closeAll();
  }
}
