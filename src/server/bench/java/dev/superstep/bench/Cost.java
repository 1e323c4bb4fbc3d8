package dev.superstep.bench;

import java.sql.SQLException;

/// What the service and the database have used up so far.
record Cost(double serviceCpu, double databaseCpu, long walBytes) {
  /// @param service process that runs the service
  static Cost now(long service, Sql sql) throws SQLException {
    long postmaster = sql.postmaster();
    return new Cost(
        Processes.cpuSeconds(service),
        postmaster == 0 ? Double.NaN : Processes.cpuSecondsOfTree(postmaster),
        sql.walBytes());
  }

  /// @param service first of the processes that make the service
  static Cost ofTree(long service, Sql sql) throws SQLException {
    var alone = now(service, sql);
    return new Cost(Processes.cpuSecondsOfTree(service), alone.databaseCpu, alone.walBytes);
  }

  Cost since(Cost before) {
    return new Cost(
        serviceCpu - before.serviceCpu,
        databaseCpu - before.databaseCpu,
        walBytes - before.walBytes);
  }

  /// Adds what one superstep has cost.
  void report(Figures figures, String key, String label, double supersteps) {
    figures.add(
        Figure.of(key + " cpu", label + ", CPU of the service", "s/1,000 supersteps"),
        1000 * serviceCpu / supersteps);
    if (!Double.isNaN(databaseCpu)) {
      figures.add(
          Figure.of(key + " dbcpu", label + ", CPU of PostgreSQL", "s/1,000 supersteps"),
          1000 * databaseCpu / supersteps);
    }
    figures.add(Figure.of(key + " wal", label + ", WAL", "bytes/superstep"), walBytes / supersteps);
  }
}
