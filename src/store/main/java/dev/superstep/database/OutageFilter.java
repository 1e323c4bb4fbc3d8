package dev.superstep.database;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/// Suppresses log lines of libraries and single runs that are caused by an outage of the database:
/// hundreds, many of them errors, that only repeat what [OutageLog] has logged. Loggers whose level
/// is DEBUG still write them.
final class OutageFilter extends TurboFilter implements InitializingBean, DisposableBean {
  private static final int DEPTH_MAX = 20;
  private static final String SERVICE = "dev.superstep";
  private static final String SCHEDULER = "com.github.kagkarlsson.scheduler";

  /// Shut-down, crash, start-up, too many connections.
  private static final Set<String> STATES = Set.of("57P01", "57P02", "57P03", "53300");

  /// How what db-scheduler says begins when another replica has handled an execution.
  private static final Set<String> OVERTAKEN =
      Set.of(
          "Failed while handling dead execution",
          "Expected one execution to be updated",
          "Expected one execution to be removed");

  private final OutageLog outage;

  OutageFilter(OutageLog outage) {
    this.outage = outage;
  }

  @Override
  public void afterPropertiesSet() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging) {
      logging.addTurboFilter(this);
    }
  }

  @Override
  public void destroy() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging) {
      logging.getTurboFilterList().remove(this);
    }
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] params,
      @Nullable Throwable failure) {
    var cause = failure == null ? argument(params) : failure;
    if (level.isGreaterOrEqual(Level.INFO)
        && !logger.getEffectiveLevel().equals(Level.DEBUG)
        && (isOfOutage(logger, cause) || isOfScheduler(logger, format, cause))) {
      return FilterReply.DENY;
    }
    return FilterReply.NEUTRAL;
  }

  /// db-scheduler warns at each heartbeat that one has failed, without saying why. After an outage
  /// longer than a lease it also logs as errors that another replica was faster with the executions
  /// of a dead one, and goes on.
  private boolean isOfScheduler(
      Logger logger, @Nullable String format, @Nullable Throwable failure) {
    return logger.getName().startsWith(SCHEDULER)
        && (outage.lasts() || isOvertaken(format) || isOvertaken(message(failure)));
  }

  private static @Nullable String message(@Nullable Throwable failure) {
    return failure == null ? null : failure.getMessage();
  }

  private static boolean isOvertaken(@Nullable String text) {
    return text != null && OVERTAKEN.stream().anyMatch(text::startsWith);
  }

  /// A throwable behind the parameters, or a [LoggedFailure] among them, is the event's failure.
  private static @Nullable Throwable argument(Object @Nullable [] params) {
    if (params == null || params.length == 0) {
      return null;
    }
    return switch (params[params.length - 1]) {
      case Throwable it -> it;
      case LoggedFailure(var it) -> it;
      case null, default -> null;
    };
  }

  private boolean isOfOutage(Logger logger, @Nullable Throwable failure) {
    var cause = failure;
    for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
      if (cause instanceof SQLException sql && isOfOutage(logger, sql)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /// Failures without a state come from a pool: a connection broke, or there is none. Those that
  /// libraries log are left out. Those that the service logs are of an outage while there is one;
  /// otherwise the pool is too small, which must stay visible.
  private boolean isOfOutage(Logger logger, SQLException failure) {
    var state = failure.getSQLState();
    if (state == null || failure instanceof SQLTransientConnectionException) {
      return !logger.getName().startsWith(SERVICE) || outage.lasts();
    }
    return state.startsWith("08") || STATES.contains(state);
  }
}
