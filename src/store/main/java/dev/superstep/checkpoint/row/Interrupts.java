package dev.superstep.checkpoint.row;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.StoredInterrupt.Assignment;
import dev.superstep.checkpoint.StoredInterrupt.Status;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.database.OwnRows;
import dev.superstep.database.OwnThings;
import dev.superstep.problem.AuditedCaller;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/// Reads, answers and closes the interrupts of runs.
@Component
public class Interrupts {
  /// Answers an interrupt that is open, has not expired and is nobody else's. To be continued with
  /// further conditions; the run is locked before.
  public static final String ANSWER =
      """
      update interrupt
         set status = 'answered', answer = :answer, answered_by = :by::text,
             closed_at = clock_timestamp()
       where id = :interrupt and status = 'open'
         and (expires_at is null or expires_at > clock_timestamp())
         and (assignee is null or assignee = any(:people::text[]))
      """;

  private final InterruptRows rows;
  private final JdbcClient jdbc;
  private final EntityManager entities;
  private final OwnThings things;
  private final AuditLog audit;

  /// An interrupt, and of its run what a call that answers has to know before.
  public record InterruptOfRun(StoredInterrupt interrupt, int version, String caller) {}

  /// Which interrupts to list; everything given must hold.
  ///
  /// @param runs of one of these; empty: of any
  /// @param whose of which people; empty: whosever
  public record Filter(
      Set<String> runs, Optional<String> graph, Optional<Status> status, Optional<Whose> whose) {
    public Filter {
      runs = Set.copyOf(runs);
    }

    public Filter(Optional<String> run, Optional<String> graph, Optional<Status> status) {
      this(run.map(Set::of).orElse(Set.of()), graph, status, Optional.empty());
    }
  }

  /// Who answers.
  ///
  /// @param stored as rows name it; empty: no key is needed
  /// @param assignees whose questions it may answer
  public record AnsweredAs(Optional<String> stored, List<String> assignees) {
    public AnsweredAs {
      assignees = List.copyOf(assignees);
    }
  }

  /// Whose questions are wanted.
  ///
  /// @param assigned whether those that have one of these as assignee; else those without an
  ///   assignee that have one of these as candidate
  /// @param open whether also those that have neither
  public record Whose(boolean assigned, List<String> names, boolean open) {
    public Whose {
      names = List.copyOf(names);
    }

    private String condition() {
      return assigned
          ? "assignee = any(:names)"
          : "assignee is null and (%s string_to_array(candidates, chr(10)) && cast(:names as text[]))"
              .formatted(open ? "candidates is null or" : "");
    }
  }

  /// A position in the order of lists.
  public record InterruptPosition(Instant createdAt, String id) {}

  Interrupts(
      InterruptRows rows,
      JdbcClient jdbc,
      EntityManager entities,
      OwnThings things,
      AuditLog audit) {
    this.things = things;
    this.rows = rows;
    this.jdbc = jdbc;
    this.entities = entities;
    this.audit = audit;
  }

  public Optional<StoredInterrupt> find(String id) {
    return rows.findById(id)
        .map(InterruptEntity::interrupt)
        .filter(it -> isReached(it.place().run()));
  }

  /// The same with its run.
  public Optional<InterruptOfRun> findWithRun(String id) {
    return rows.findWithRun(id)
        .filter(it -> isReached(it.interrupt().interrupt().place().run()))
        .map(it -> new InterruptOfRun(it.interrupt().interrupt(), it.version(), it.caller()));
  }

  private boolean isReached(String run) {
    return Tenant.reaches(run) && things.reachesRun(run);
  }

  /// All interrupts of a run, in the order in which they were asked.
  public List<StoredInterrupt> ofRun(String run) {
    return rows.ofRun(run).stream().map(InterruptEntity::interrupt).toList();
  }

  /// The open interrupts of these runs, in the order in which they were asked; one statement,
  /// however many runs.
  public List<StoredInterrupt> open(Collection<String> runs) {
    return rows.open(runs.toArray(String[]::new)).stream().map(InterruptEntity::interrupt).toList();
  }

  /// Those of these ids, and those that were open in these runs at a time, in the order in which
  /// they were asked.
  ///
  /// @param until what was asked later is left out
  public List<StoredInterrupt> at(
      Collection<String> ids, Collection<String> runs, Instant at, Instant until) {
    return rows.openAt(ids.toArray(String[]::new), runs.toArray(String[]::new), at, until).stream()
        .map(InterruptEntity::interrupt)
        .toList();
  }

  /// Those that a run has asked somebody behind a checkpoint.
  public List<StoredInterrupt> behind(String run, int checkpoint) {
    return rows.behind(run, checkpoint).stream().map(InterruptEntity::interrupt).toList();
  }

  /// Lists interrupts, newest first.
  ///
  /// @param behind empty: from the newest on
  public List<StoredInterrupt> list(Filter filter, Optional<InterruptPosition> behind, int limit) {
    var conditions = new ArrayList<String>();
    var values = new HashMap<String, Object>();
    if (!filter.runs().isEmpty()) {
      conditions.add("run = any(:runs)");
      values.put("runs", filter.runs().toArray(String[]::new));
    }
    filter
        .graph()
        .ifPresent(it -> {
          conditions.add("graph = :graph");
          values.put("graph", it);
        });
    filter
        .status()
        .ifPresent(it -> {
          conditions.add("status = :status");
          values.put("status", it.apiName());
        });
    filter
        .whose()
        .ifPresent(it -> {
          conditions.add(it.condition());
          values.put("names", it.names().toArray(String[]::new));
        });
    reached(conditions, values);
    behind.ifPresent(it -> {
      conditions.add("(created_at, id) < (:at, :last)");
      values.put("at", it.createdAt());
      values.put("last", it.id());
    });
    return listed(conditions, values, limit);
  }

  /// Those of the caller's tenant, within its reach.
  private static void reached(List<String> conditions, Map<String, Object> values) {
    OwnRows.only("run")
        .ifPresent(it -> {
          conditions.add(it);
          values.put(OwnRows.TENANT, OwnRows.tenant());
        });
    OwnRows.runs("run")
        .ifPresent(it -> {
          conditions.add(
              "exists (select from run where run.id = interrupt.run and %s)".formatted(it.text()));
          values.putAll(it.parameters());
        });
  }

  private List<StoredInterrupt> listed(
      List<String> conditions, Map<String, Object> values, int limit) {
    var where = conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
    var query =
        entities.createNativeQuery(
            "select * from interrupt%s order by created_at desc, id desc limit %d"
                .formatted(where, limit),
            InterruptEntity.class);
    query.getParameters().forEach(it -> query.setParameter(it.getName(), values.get(it.getName())));
    List<?> found = query.getResultList();
    return found.stream().map(InterruptEntity.class::cast).map(InterruptEntity::interrupt).toList();
  }

  /// Answers an interrupt that is open and has not expired, in the current transaction. The caller
  /// has locked the run and counts `run.answers` up in the same transaction.
  ///
  /// @param as who answers
  /// @param audited whose answer is recorded; empty: nobody's
  /// @return whether it was open, and nobody else's
  @Transactional(propagation = Propagation.MANDATORY)
  public boolean answer(String id, Value answer, AnsweredAs as, Optional<AuditedCaller> audited) {
    boolean answered =
        jdbc.sql(ANSWER)
                .param("answer", StoredObject.bytes(answer))
                .param("by", as.stored().orElse(null))
                .param("people", as.assignees().toArray(String[]::new))
                .param("interrupt", id)
                .update()
            == 1;
    if (answered) {
      audited.ifPresent(it -> audit.record(it, AuditAction.INTERRUPT_ANSWER, id));
    }
    return answered;
  }

  /// Whose an open question is, which the current transaction locks; empty: it is not open.
  @Transactional(propagation = Propagation.MANDATORY)
  public Optional<Assignment> lockAssignment(String id) {
    return jdbc.sql(
            """
            select assignee, candidates
              from interrupt
             where id = :id and status = 'open'
               and (expires_at is null or expires_at > clock_timestamp())
               for update
            """)
        .param("id", id)
        .query((row, _) -> InterruptColumns.assignment(row))
        .optional();
  }

  /// Says whose a question is, which is locked.
  ///
  /// @param assignee empty: its candidates'
  @Transactional(propagation = Propagation.MANDATORY)
  public void assign(String id, Optional<String> assignee) {
    jdbc.sql("update interrupt set assignee = :assignee::text where id = :id")
        .param("assignee", assignee.orElse(null))
        .param("id", id)
        .update();
  }

  /// Whether somebody has answered a question of these runs.
  ///
  /// @param names under which that was recorded
  public boolean answered(Collection<String> runs, Collection<String> names) {
    return jdbc.sql(
            """
            select exists (select from interrupt
                            where run = any(:runs) and status = 'answered'
                              and answered_by = any(:names))
            """)
        .param("runs", runs.toArray(String[]::new))
        .param("names", names.toArray(String[]::new))
        .query(Boolean.class)
        .single();
  }

  /// Closes all open interrupts of a run that is cancelled without its driver.
  @Transactional(propagation = Propagation.MANDATORY)
  public void cancel(String run) {
    rows.cancel(run);
  }
}
