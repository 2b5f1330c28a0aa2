package dev.carillon.bench.burst;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.bench.harness.CannotRun;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** PostgreSQL on this machine, configured to lose no committed data. */
final class Postgres implements AutoCloseable {

  private static final int CONNECTIONS = 20;
  private static final String DRIVER_USER = "postgres";

  private final EmbeddedPostgres server;

  private Postgres(EmbeddedPostgres server) {
    this.server = server;
  }

  /**
   * @throws CannotRun if PostgreSQL cannot start on this machine
   */
  static Postgres start() {
    try {
      return new Postgres(
          EmbeddedPostgres.builder()
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("shared_buffers", "512MB")
              .setServerConfig("max_wal_size", "4GB")
              .start());
    } catch (IOException | IllegalStateException fault) {
      throw new CannotRun(
          "PostgreSQL does not start: "
              + fault
              + ". It refuses to run as root; where the command unshare cannot give it another user,"
              + " run this benchmark as a user other than root, or leave out the other schedulers with"
              + " --engines carillon.",
          fault);
    }
  }

  /** A pool on an empty database. */
  HikariDataSource empty() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url());
    config.setUsername(DRIVER_USER);
    config.setMaximumPoolSize(CONNECTIONS);
    HikariDataSource pool = new HikariDataSource(config);
    run(pool, "DROP SCHEMA public CASCADE; CREATE SCHEMA public; CHECKPOINT");
    return pool;
  }

  String url() {
    return server.getJdbcUrl(DRIVER_USER, DRIVER_USER);
  }

  static void run(DataSource database, String statements) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(statements);
    } catch (SQLException fault) {
      throw new IllegalStateException(fault);
    }
  }

  /**
   * Runs ANALYZE, so that query plans know the sizes of tables. Autovacuum would do so within a
   * minute.
   */
  static void analyze(DataSource database) {
    run(database, "ANALYZE");
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException leftRunning) {
      throw new IllegalStateException("PostgreSQL did not stop", leftRunning);
    }
  }
}
