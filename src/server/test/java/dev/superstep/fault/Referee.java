package dev.superstep.fault;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The database itself watches the fence. Each replica has a database user of its own, so triggers
/// can tell who claims a run and who writes it: a superstep or an outcome that is written by
/// anybody but the run's owner is noted.
final class Referee {
  private final JdbcClient jdbc;

  Referee(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Once the service has made its tables.
  void watch() {
    jdbc.sql("create table referee_owner (owner text primary key, login text)").update();
    jdbc.sql("create table referee_found (run text, what text, login text, owner text)").update();
    jdbc.sql("create table referee_slice (run text, superstep int, login text)").update();
    claims();
    slices();
    commits();
    outcomes();
  }

  /// A slice of a wide superstep may be executed by a replica that does not own the run. The
  /// release before has them in another table.
  private void slices() {
    jdbc.sql(
            """
            create function referee_slice() returns trigger language plpgsql as $$
            begin
              insert into referee_slice values (new.run, new.superstep, session_user);
              return null;
            end $$
            """)
        .update();
    jdbc.sql(
            """
            create trigger referee_slice after update of token on task
               for each row when (new.token is not null and new.id like '*/%')
               execute function referee_slice()
            """)
        .update();
    jdbc.sql(
            """
            create trigger referee_slice_before after insert or update of owner on slice
               for each row when (new.owner is not null) execute function referee_slice()
            """)
        .update();
  }

  private void claims() {
    jdbc.sql(
            """
            create function referee_claim() returns trigger language plpgsql as $$
            begin
              insert into referee_owner values (new.owner, session_user) on conflict do nothing;
              return null;
            end $$
            """)
        .update();
    jdbc.sql(
            """
            create trigger referee_claim after insert or update of owner on run
               for each row when (new.owner is not null) execute function referee_claim()
            """)
        .update();
  }

  private void commits() {
    jdbc.sql(
            """
            create function referee_commit() returns trigger language plpgsql as $$
            begin
              insert into referee_found
              select new.id, 'checkpoint ' || new.checkpoint, session_user, old.owner
               where not exists (select from referee_owner
                                  where owner = old.owner and login = session_user);
              return null;
            end $$
            """)
        .update();
    jdbc.sql(
            """
            create trigger referee_commit after update on run
               for each row when (new.checkpoint <> old.checkpoint)
               execute function referee_commit()
            """)
        .update();
  }

  private void outcomes() {
    jdbc.sql(
            """
            create function referee_record() returns trigger language plpgsql as $$
            begin
              insert into referee_found
              select new.run, 'the outcome of ' || new.task, session_user, r.owner from run r
               where r.id = new.run
                 and not exists (select from referee_owner
                                  where owner = r.owner and login = session_user)
                 and not exists (select from referee_slice s
                                  where s.run = new.run and s.superstep = new.superstep
                                    and s.login = session_user);
              return null;
            end $$
            """)
        .update();
    jdbc.sql(
            """
            create trigger referee_record after insert or update on recorded_task
               for each row execute function referee_record()
            """)
        .update();
  }

  /// How often a slice was given to a replica.
  int sliced() {
    return jdbc.sql("select count(*) from referee_slice").query(Integer.class).single();
  }

  /// Writes of drivers that did not own the run.
  List<String> accepted() {
    return jdbc.sql(
            """
            select format('zombie: %s of run %s was written by %s, the owner is %s', what, run,
                          login, coalesce(owner, 'nobody'))
              from referee_found
            """)
        .query((row, _) -> row.getString(1))
        .list();
  }
}
