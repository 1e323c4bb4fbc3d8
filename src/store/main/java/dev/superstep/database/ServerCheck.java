package dev.superstep.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/// Looks at the database server and at what stands before it, once, before anything is stored. What
/// takes a guarantee away ends the start; what makes the service slower or weaker is logged.
///
/// It looks with connections of its own, as the driver opens them for the given address: what a
/// pooler does with sessions, prepared statements and options of the start is seen, not asked for.
final class ServerCheck {
  private static final Logger log = LoggerFactory.getLogger(ServerCheck.class);

  private static final int OLDEST = 15;
  private static final int NEWEST = 18;
  private static final Duration CLOCK_MAX = Duration.ofSeconds(1);
  private static final String WAIT_MAX_SECONDS = "10";

  /// A value that nothing else sets: it shows whether options of the start arrive.
  private static final String PROBE_TIMEOUT = "9876543ms";

  /// The driver has the server prepare a statement when it is executed for the fifth time.
  private static final int UNTIL_PREPARED = 8;

  /// There is no prepared statement of that name, or there is one already.
  private static final Set<String> LOST_STATEMENT = Set.of("26000", "42P05");

  private static final Pattern SCHEMA = Pattern.compile("[?&]currentSchema=([^&,]+)");

  private final JdbcConnectionDetails database;
  private final boolean hints;
  private final String createdSchema;
  private final boolean options;
  private boolean sessions = true;

  private ServerCheck(JdbcConnectionDetails database, boolean hints, String createdSchema) {
    this.database = database;
    this.hints = hints;
    this.createdSchema = createdSchema;
    this.options = look();
  }

  /// @param hints whether replicas are to tell each other by NOTIFY what they have done
  /// @throws RuntimeException that ends the start, and says what to do
  public static ServerCheck of(JdbcConnectionDetails database, boolean hints) {
    return of(database, hints, "");
  }

  /// @param hints whether replicas are to tell each other by NOTIFY what they have done
  /// @param createdSchema that migrations create where it is missing; empty: none
  /// @throws RuntimeException that ends the start, and says what to do
  public static ServerCheck of(
      JdbcConnectionDetails database, boolean hints, String createdSchema) {
    return new ServerCheck(database, hints, createdSchema);
  }

  /// Whether settings of a session can be asked for when it is opened. Else they are left out: set
  /// by a statement, they would stay in a session that a pooler gives to others.
  public boolean takesOptions() {
    return options;
  }

  /// Whether what is set in a session lasts as long as the connection.
  public boolean keepsSessions() {
    return sessions;
  }

  private boolean look() {
    try {
      if (optionsArrive()) {
        lookAt(true);
        return true;
      }
      log.warn(
          "The pooler before the database keeps back settings of sessions: each statement is"
              + " planned anew, with the costs of the server, which does not end those that nobody"
              + " waits for. See docs/configuration.md, \"Behind a pooler\".");
      lookAt(false);
      return false;
    } catch (SQLException e) {
      throw refusal(e);
    }
  }

  /// Poolers either refuse options that they do not know, or ignore them.
  private boolean optionsArrive() throws SQLException {
    try (var connection = open(true);
        var statement = connection.createStatement()) {
      return one(
              statement, "select setting || unit from pg_settings where name = 'statement_timeout'")
          .equals(PROBE_TIMEOUT);
    } catch (SQLException e) {
      if (refusesOptions(e)) {
        return false;
      }
      throw e;
    }
  }

  private static boolean refusesOptions(SQLException e) {
    return String.valueOf(e.getMessage()).contains("startup parameter")
        && String.valueOf(e.getMessage()).contains("options");
  }

  private void lookAt(boolean withOptions) throws SQLException {
    try (var one = open(withOptions);
        var other = open(withOptions);
        var statement = one.createStatement()) {
      server(statement);
      schema(statement);
      clock(statement);
      if (isPooled(one, statement) && !keepsSessions(one, other)) {
        sessions = false;
        preparedStatements(one, other);
        requireNoHints();
      }
    }
  }

  private Connection open(boolean withOptions) throws SQLException {
    var properties = new Properties();
    Optional.ofNullable(database.getUsername())
        .ifPresent(it -> PGProperty.USER.set(properties, it));
    Optional.ofNullable(database.getPassword())
        .ifPresent(it -> PGProperty.PASSWORD.set(properties, it));
    PGProperty.LOGIN_TIMEOUT.set(properties, WAIT_MAX_SECONDS);
    PGProperty.SOCKET_TIMEOUT.set(properties, WAIT_MAX_SECONDS);
    PGProperty.APPLICATION_NAME.set(properties, "superstep-start");
    if (withOptions) {
      PGProperty.OPTIONS.set(properties, "-c statement_timeout=" + PROBE_TIMEOUT);
    }
    return DriverManager.getConnection(database.getJdbcUrl(), properties);
  }

  private static void server(Statement statement) throws SQLException {
    int version = Integer.parseInt(one(statement, "show server_version_num")) / 10_000;
    require(
        version >= OLDEST,
        "The database is PostgreSQL %d.".formatted(version),
        "Use PostgreSQL %d to %d.".formatted(OLDEST, NEWEST));
    if (version > NEWEST) {
      log.warn(
          "PostgreSQL {} is newer than those this release is tested with ({} to {}).",
          version,
          OLDEST,
          NEWEST);
    }
    require(
        one(statement, "show transaction_read_only").equals("off"),
        "The database takes no writes: it is a standby, or default_transaction_read_only is on.",
        "Name the primary in SPRING_DATASOURCE_URL (several hosts with targetServerType=primary).");
    require(
        !one(statement, "show synchronous_commit").equals("off"),
        "synchronous_commit is off: the server acknowledges commits that it may lose.",
        "Set it to on for this role: alter role … set synchronous_commit = on.");
    require(
        one(statement, "show default_transaction_isolation").equals("read committed"),
        "default_transaction_isolation is not read committed, on which the service is built.",
        "Set it for this role: alter role … set default_transaction_isolation = 'read committed'.");
    if (one(statement, "show fsync").equals("off")) {
      log.warn("fsync is off: a crash of the database's machine can lose or damage everything.");
    }
  }

  private void schema(Statement statement) throws SQLException {
    var schema = one(statement, "select coalesce(current_schema(), '')");
    if (schema.isEmpty() && !createdSchema.isEmpty()) {
      return;
    }
    require(
        !schema.isEmpty(),
        "No schema of the search path exists, so there is nowhere to keep tables.",
        "Create the schema, or name another one with currentSchema in SPRING_DATASOURCE_URL.");
    var wanted = SCHEMA.matcher(String.valueOf(database.getJdbcUrl()));
    require(
        !wanted.find() || wanted.group(1).equals(schema),
        "The address of the database asks for another schema than the connection is in: %s."
            .formatted(schema),
        "Create the schema; behind a pooler that ignores search_path set it for the role instead:"
            + " alter role … set search_path = ….");
  }

  private static void clock(Statement statement) throws SQLException {
    long begun = System.currentTimeMillis();
    double server =
        Double.parseDouble(one(statement, "select extract(epoch from clock_timestamp()) * 1000"));
    long ended = System.currentTimeMillis();
    long ahead = Math.round(server - (begun + ended) / 2.0);
    if (Math.abs(ahead) > CLOCK_MAX.toMillis() + (ended - begun)) {
      log.warn("The clocks of the database and of this machine are {} ms apart.", Math.abs(ahead));
    }
  }

  /// The number that a server gives a session when it begins is that of its process; a pooler gives
  /// one of its own.
  private static boolean isPooled(Connection connection, Statement statement) throws SQLException {
    return connection.unwrap(PGConnection.class).getBackendPID() != process(statement);
  }

  private static int process(Statement statement) throws SQLException {
    return Integer.parseInt(one(statement, "select pg_backend_pid()"));
  }

  /// While one connection is in a transaction, the other one needs a session beside it. If sessions
  /// are lent for a transaction each, the next one is with the session that was returned last.
  private static boolean keepsSessions(Connection one, Connection other) throws SQLException {
    try (var first = one.createStatement();
        var second = other.createStatement()) {
      one.setAutoCommit(false);
      process(first);
      int before = process(second);
      one.commit();
      int after = process(second);
      other.setAutoCommit(false);
      process(second);
      int beside = process(first);
      one.commit();
      other.commit();
      one.setAutoCommit(true);
      other.setAutoCommit(true);
      return before == after && beside == process(first);
    }
  }

  /// Each connection executes its statement in the sessions that the other one has used.
  private static void preparedStatements(Connection one, Connection other) throws SQLException {
    try (var first = one.prepareStatement("select ?::text");
        var second = other.prepareStatement("select ?::integer")) {
      one.setAutoCommit(false);
      other.setAutoCommit(false);
      for (int i = 0; i < UNTIL_PREPARED; i++) {
        first.setString(1, "a");
        first.execute();
        second.setInt(1, i);
        second.execute();
        (i % 2 == 0 ? one : other).commit();
        (i % 2 == 0 ? other : one).commit();
      }
    }
  }

  private void requireNoHints() {
    require(
        !hints,
        "The pooler before the database lends a session for one transaction each, in which LISTEN"
            + " does not last: notifications between replicas would be lost.",
        "Set SUPERSTEP_HINTS=false, or use the session mode of the pooler. See"
            + " docs/configuration.md, \"Behind a pooler\".");
  }

  private static UnsuitableServerException refusal(SQLException e) {
    var message = String.valueOf(e.getMessage());
    return LOST_STATEMENT.contains(String.valueOf(e.getSQLState()))
        ? new UnsuitableServerException(
            "The pooler before the database lends a session for one transaction each, and does not"
                + " keep prepared statements: %s.".formatted(message),
            "Add prepareThreshold=0 to the parameters of SPRING_DATASOURCE_URL, or let PgBouncer"
                + " (1.21 and later) keep them with max_prepared_statements, or use its session"
                + " mode. See docs/configuration.md, \"Behind a pooler\".",
            e)
        : new UnsuitableServerException(
            "The database cannot be used: %s.".formatted(message), remedy(message), e);
  }

  private static String remedy(String message) {
    if (message.contains("startup parameter")) {
      return "In pgbouncer.ini set ignore_startup_parameters = extra_float_digits,options.";
    }
    return message.contains("statement pooling")
        ? "The pooler is in statement mode, without transactions: use transaction or session mode."
        : "Check that the server runs, SPRING_DATASOURCE_URL and the credentials, and that a"
            + " pooler has room for two connections of one client at least.";
  }

  private static String one(Statement statement, String query) throws SQLException {
    try (var found = statement.executeQuery(query)) {
      found.next();
      return Objects.requireNonNullElse(found.getString(1), "");
    }
  }

  private static void require(boolean holds, String description, String action) {
    if (!holds) {
      throw new UnsuitableServerException(description, action);
    }
  }
}
