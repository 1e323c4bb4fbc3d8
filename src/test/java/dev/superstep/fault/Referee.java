package dev.superstep.fault;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The database itself watches the fence: a trigger notes each row that a driver writes under
/// another epoch than the run has at that moment.
final class Referee {
  private final JdbcClient jdbc;

  Referee(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void watch() {
    jdbc.sql(
            """
            create table referee (run text, relation text, epoch bigint, current bigint)
            """)
        .update();
    jdbc.sql(
            """
            create function referee() returns trigger language plpgsql as $$
            begin
              insert into referee
              select new.run, tg_table_name, new.lease_epoch, r.lease_epoch
                from run r where r.id = new.run and r.lease_epoch <> new.lease_epoch;
              return null;
            end $$
            """)
        .update();
    jdbc.sql(
            """
            create trigger referee after insert on checkpoint
               for each row when (new.number > 0) execute function referee()
            """)
        .update();
    jdbc.sql(
            """
            create trigger referee after insert or update on recorded_task
               for each row execute function referee()
            """)
        .update();
  }

  /// Writes of drivers whose lease was over.
  List<String> accepted() {
    return jdbc.sql(
            """
            select format('zombie: %s of run %s was written under epoch %s of %s',
                          relation, run, epoch, current)
              from referee
            """)
        .query(String.class)
        .list();
  }
}
