package dev.superstep.schedule;

import dev.superstep.database.Pools;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Notices that the database has another history than before: a standby without the last
/// transactions was promoted, or a backup was restored. Each history has a number, the era, in
/// `database_era`; the first replica that sees a new one stores it.
///
/// Its marks are the server's identity and the timeline of its log. Where the server does not tell
/// them, and besides, there is a mark of one's own: each round is counted in the row of this
/// process, and in a history that goes on the count grows.
@Component
final class Eras {
  private static final Logger log = LoggerFactory.getLogger(Eras.class);

  private static final String LOOK =
      """
      with own as (
        update scheduled_duties set beats = beats + 1
         where task_name = ? and task_instance = ?
        returning beats
      )
      select latest.era,
             latest.timeline <> database_timeline()
               or latest.system_identifier <> database_system() as moved,
             database_timeline() is not null as marked,
             (select beats from own) as beats
        from (select * from database_era order by era desc limit 1) as latest
      """;

  private final JdbcClient jdbc;
  private int known;
  private @Nullable String name;
  private @Nullable Long beats;

  private record Seen(int era, @Nullable Boolean moved, boolean marked, @Nullable Long beats) {}

  Eras(@Qualifier(Pools.WATCH) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param replica name of this process, if it has one
  /// @return the number of the history, if it is another one than at the last call
  Optional<Integer> changed(Optional<String> replica) {
    var seen = look(replica.orElse(""));
    boolean back = isBack(replica.orElse(null), seen.beats());
    boolean begins = back || Boolean.TRUE.equals(seen.moved()) || seen.era() < known;
    int era = begins ? begin(Math.max(known, seen.era()) + 1) : seen.era();
    int before = known;
    known = era;
    if (before == 0 && !seen.marked()) {
      log.warn(
          "The database does not say on which timeline it is; that it has gone back is noticed only"
              + " by counts of replicas that have fallen");
    }
    return before != 0 && before != era ? Optional.of(era) : Optional.empty();
  }

  private Seen look(String replica) {
    return jdbc.sql(LOOK).params(SchedulerTasks.REPLICA, replica).query(Seen.class).single();
  }

  private boolean isBack(@Nullable String replica, @Nullable Long now) {
    var before = Objects.equals(name, replica) ? beats : null;
    name = replica;
    beats = now;
    return before != null && now != null && now <= before;
  }

  /// Stores the new history. Of several replicas one is first; the others take its number.
  private int begin(int least) {
    return jdbc.sql(
            """
            with inserted as (
              insert into database_era (era, system_identifier, timeline, valid_through)
              values (greatest(?, database_era()), database_system(), database_timeline(),
                      pg_last_xact_replay_timestamp())
              on conflict do nothing
              returning era
            )
            select max(era) from (select era from inserted union all select database_era()) as eras
            """)
        .param(least)
        .query(Integer.class)
        .single();
  }
}
