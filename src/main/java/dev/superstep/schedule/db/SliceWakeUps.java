package dev.superstep.schedule.db;

import dev.superstep.schedule.SliceWake;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Invites replicas to slices: executions `slice/<run>/<superstep>/<epoch>/<number>/<claim>`. The
/// polls of other replicas find them; this process needs none. An invitation may be lost: the
/// driver checks on its slices.
@Component
public class SliceWakeUps {
  static final String SLICE = "slice";

  private final JdbcClient jdbc;

  SliceWakeUps(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  public void invite(Collection<SliceWake> wakes) {
    if (wakes.isEmpty()) {
      return;
    }
    jdbc.sql(
            """
            insert into scheduled_tasks
                   (task_name, task_instance, execution_time, picked, version, priority)
            select ?, wake.instance, clock_timestamp(), false, 1,
                   coalesce((select priority from run where id = wake.run), 0)
              from unnest(?::text[], ?::text[]) as wake (instance, run)
            on conflict do nothing
            """)
        .params(SLICE, column(wakes, SliceWake::instance), column(wakes, SliceWake::run))
        .update();
  }

  private static String[] column(Collection<SliceWake> wakes, Function<SliceWake, String> value) {
    return List.copyOf(wakes).stream().map(value).toArray(String[]::new);
  }
}
