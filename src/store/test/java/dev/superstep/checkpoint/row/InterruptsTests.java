package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.StoredInterrupt.Assignment;
import dev.superstep.checkpoint.StoredInterrupt.Status;
import dev.superstep.checkpoint.row.Interrupts.Filter;
import dev.superstep.checkpoint.row.Interrupts.InterruptPosition;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Addressees;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

@StoreTest
class InterruptsTests {
  @Autowired private PostgresBackend backend;
  @Autowired private Interrupts interrupts;
  @Autowired private JdbcClient jdbc;
  private SampleRun run;
  private Lease lease;

  @BeforeEach
  void startARun() {
    run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    lease = backend.claim(run.id(), run.graph).lease();
  }

  private TaskRecord.Interrupt question(String id, int age, Optional<Instant> until) {
    return new TaskRecord.Interrupt(
        run.id() + id,
        "need_approval",
        ObjectValue.of("question", Value.of("publish?")),
        Optional.of(ObjectValue.of("type", Value.of("boolean"))),
        SampleRun.THEN.minusSeconds(age),
        until,
        until.map(_ -> Value.FALSE));
  }

  private void ask(TaskRecord.Interrupt... questions) {
    int place = 0;
    for (var question : questions) {
      var key = new TaskKey(1, SampleRun.B, "d" + place++);
      var record =
          new TaskRecord(
              key,
              1,
              0,
              SampleRun.ASKED_ONCE,
              new TaskStatus.Interrupted(question),
              SampleRun.THEN,
              SampleRun.THEN,
              TaskRecord.Left.NOTHING);
      backend.store().record(lease, List.of(record), List.of());
    }
  }

  /// E35, E37 Also where a later release says something that this one does not know.
  @Test
  void keepsWhoMayAnswer() {
    ask(
        question("anybody", 1, Optional.empty()),
        question("other", 1, Optional.empty()).by(MayAnswer.OTHER_THAN_STARTER),
        question("later", 1, Optional.empty()).by(MayAnswer.OTHER_THAN_STARTER));
    jdbc.sql("update interrupt set may_answer = 'the_moon' where id = :id")
        .param("id", run.id() + "later")
        .update();

    assertThat(Stream.of("anybody", "other", "later").map(it -> mayAnswer(run.id() + it)))
        .containsExactly(
            MayAnswer.ANYBODY, MayAnswer.OTHER_THAN_STARTER, MayAnswer.OTHER_THAN_STARTER);
  }

  private MayAnswer mayAnswer(String id) {
    return interrupts.find(id).orElseThrow().question().mayAnswer();
  }

  @Test
  void showsAQuestionAsItWasAsked() {
    var until = Optional.of(Instant.parse("2100-01-01T00:00:00Z"));
    var addressees = new Addressees(Optional.of("ann"), List.of("bob", "role:admin"), List.of());
    var question = question("-1", 0, until).to(addressees);
    ask(question);

    var found = interrupts.find(question.id()).orElseThrow();

    assertThat(found.question()).isEqualTo(question);
    assertThat(found.place().task()).isEqualTo(new TaskKey(1, SampleRun.B, "d0"));
    assertThat(found.place().graph()).isEqualTo("sample");
    assertThat(found.status()).isEqualTo(Status.OPEN);
    assertThat(found.assignment())
        .isEqualTo(new Assignment(Optional.of("ann"), List.of("bob", "role:admin")));
    assertThat(found.answer()).isEmpty();
  }

  /// A question that a lost history had closed, or whose task was repeated.
  @Test
  void opensAQuestionThatIsAskedAgainAfterItWasClosed() {
    var later = Optional.of(Instant.parse("2100-01-01T00:00:00Z"));
    ask(question("-1", 30, Optional.empty()));
    backend.store().expire(lease, List.of(run.id() + "-1"));
    var again = question("-1", 0, later);

    ask(again);

    var found = interrupts.find(again.id()).orElseThrow();
    assertThat(found.status()).isEqualTo(Status.OPEN);
    assertThat(found.question()).isEqualTo(again);
    assertThat(backend.answer(run.id(), again.id(), Value.TRUE)).isTrue();
  }

  @Test
  void keepsTheAnswerToAQuestionThatIsAskedAgain() {
    ask(question("-1", 30, Optional.empty()));
    backend.answer(run.id(), run.id() + "-1", Value.TRUE);

    ask(question("-1", 0, Optional.empty()));

    var found = interrupts.find(run.id() + "-1").orElseThrow();
    assertThat(found.status()).isEqualTo(Status.ANSWERED);
    assertThat(found.answer()).contains(Value.TRUE);
  }

  @Test
  void listsTheNewestFirstPageByPage() {
    ask(
        question("-1", 30, Optional.empty()),
        question("-2", 20, Optional.empty()),
        question("-3", 10, Optional.empty()));
    var filter = new Filter(Optional.of(run.id()), Optional.empty(), Optional.of(Status.OPEN));

    var first = interrupts.list(filter, Optional.empty(), 2);
    var last = first.getLast();
    var behind = new InterruptPosition(last.question().createdAt(), last.id());
    var second = interrupts.list(filter, Optional.of(behind), 2);

    assertThat(first)
        .extracting(StoredInterrupt::id)
        .containsExactly(run.id() + "-3", run.id() + "-2");
    assertThat(second).extracting(StoredInterrupt::id).containsExactly(run.id() + "-1");
  }

  @Test
  void listsOnlyWhatIsAskedFor() {
    ask(question("-1", 30, Optional.empty()), question("-2", 20, Optional.empty()));
    backend.answer(run.id(), run.id() + "-1", Value.TRUE);

    var answered =
        new Filter(Optional.of(run.id()), Optional.of("sample"), Optional.of(Status.ANSWERED));
    var elsewhere = new Filter(Optional.of(run.id()), Optional.of("other"), Optional.empty());

    assertThat(interrupts.list(answered, Optional.empty(), 9))
        .extracting(StoredInterrupt::answer)
        .containsExactly(Optional.of(Value.TRUE));
    assertThat(interrupts.list(elsewhere, Optional.empty(), 9)).isEmpty();
  }

  /// E37
  @Test
  void takesNoAnswerToAQuestionThatHasExpired() {
    ask(question("-1", 30, Optional.of(SampleRun.THEN)));

    assertThat(backend.answer(run.id(), run.id() + "-1", Value.TRUE)).isFalse();
  }

  @Test
  void closesAllOpenOnesOfARunThatIsCancelledWithoutItsDriver() {
    ask(question("-1", 30, Optional.empty()), question("-2", 20, Optional.empty()));
    backend.answer(run.id(), run.id() + "-1", Value.TRUE);

    backend.transaction().executeWithoutResult(_ -> interrupts.cancel(run.id()));

    assertThat(interrupts.ofRun(run.id()))
        .extracting(StoredInterrupt::status)
        .containsExactly(Status.ANSWERED, Status.CANCELLED);
  }

  /// E35: 200 questions of one superstep are one statement.
  @Test
  void opensManyQuestionsAtOnce() {
    var records = new TaskRecord[200];
    for (int i = 0; i < records.length; i++) {
      records[i] = run.asks(new TaskKey(1, SampleRun.B, "d" + i), run.id() + "-" + i);
    }

    backend.store().commit(lease, run.hold(RunStatus.INTERRUPTED, 0, records));

    assertThat(interrupts.ofRun(run.id())).hasSize(200);
  }
}
