package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.checkpoint.row.EncodedCheckpoint;
import dev.superstep.checkpoint.row.EncodedCommit;
import dev.superstep.checkpoint.row.RunOrigin;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.GraphRegistry.Shown;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Spending;
import dev.superstep.problem.AuditedCaller;
import dev.superstep.problem.Callers;
import dev.superstep.run.RunSummary;
import dev.superstep.run.RunSummary.Origin;
import dev.superstep.run.RunSummary.Parent;
import dev.superstep.run.RunSummary.Settings;
import dev.superstep.run.RunSummary.Standing;
import dev.superstep.run.RunSummary.Times;
import dev.superstep.run.RunView;
import dev.superstep.run.check.LimitsInForce;
import dev.superstep.run.drive.LocalProgress;
import dev.superstep.run.drive.RunClaims.Claim;
import dev.superstep.run.query.RunDetails;
import dev.superstep.run.store.RunInputEntity;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A run to be inserted, and the result of its insert.
final class NewRun implements WriteBatcher.Member {
  private static final int USUAL_BYTES = 1024;

  private final RunHeader header;
  private final RunOrigin origin;
  private final ObjectValue input;
  private final RunInputEntity request;
  private final Commit.Write first;
  private final Optional<CheckpointRef> from;
  private final InsertOptions options;
  private volatile @Nullable EarlyStart earlyStart;
  private volatile @Nullable Inserted inserted;
  private volatile @Nullable RuntimeException failure;

  /// @param first its first checkpoint
  /// @param from the checkpoint of its thread from whose state that was made; empty: none
  /// @param startAt when it is to begin; empty: at once
  NewRun(
      RunHeader header,
      RunOrigin origin,
      ObjectValue input,
      RunInputEntity request,
      Commit.Write first,
      Optional<CheckpointRef> from,
      Optional<Instant> startAt) {
    this(
        header,
        origin,
        input,
        request,
        first,
        from,
        new InsertOptions(startAt, Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private NewRun(
      RunHeader header,
      RunOrigin origin,
      ObjectValue input,
      RunInputEntity request,
      Commit.Write first,
      Optional<CheckpointRef> from,
      InsertOptions options) {
    this.header = header;
    this.origin = origin;
    this.input = input;
    this.request = request;
    this.first = first;
    this.from = from;
    this.options = options;
  }

  /// @param remembered versions of its graph, which must still hold when it is inserted
  /// @param companion what is inserted beside it
  /// @param audited what is recorded of it
  private record InsertOptions(
      Optional<Instant> startAt,
      Optional<Shown> remembered,
      Optional<ObjectValue> companion,
      Optional<AuditedInsert> audited) {
    InsertOptions remembering(Shown shown) {
      return new InsertOptions(startAt, Optional.of(shown), companion, audited);
    }

    InsertOptions beside(ObjectValue other) {
      return new InsertOptions(startAt, remembered, Optional.of(other), audited);
    }

    InsertOptions audited(AuditedInsert insert) {
      return new InsertOptions(startAt, remembered, companion, Optional.of(insert));
    }
  }

  /// What is recorded of an insert.
  record AuditedInsert(AuditedCaller caller, AuditAction action) {}

  /// What the statement has made of a run.
  ///
  /// @param at time of the insert, by the database's clock, or when it began before
  /// @param epoch of the lease of its owner, if it has one
  /// @param lastAt time of its last checkpoint
  record Inserted(Instant at, long epoch, @Nullable UUID birthId, Instant lastAt) {}

  /// How a run has started that is not inserted yet. It is inserted only if the database would have
  /// given it this epoch, and a birth id or none.
  ///
  /// @param commits of its driver, which are inserted with it
  record EarlyStart(Instant at, long epoch, @Nullable UUID birthId, List<Commit> commits) {
    EarlyStart with(List<Commit> more) {
      return new EarlyStart(at, epoch, birthId, more);
    }

    /// The time that the last commit may not be before.
    Instant behind() {
      return commits.isEmpty()
          ? at
          : commits.getLast().checkpoint().orElseThrow().after().stamp().at();
    }
  }

  String id() {
    return header.id();
  }

  RunHeader header() {
    return header;
  }

  RunOrigin origin() {
    return origin;
  }

  RunInputEntity request() {
    return request;
  }

  Commit.Write first() {
    return first;
  }

  Optional<CheckpointRef> from() {
    return from;
  }

  /// An equal run that is only inserted if these are still the versions of its graph.
  NewRun remembering(Shown shown) {
    return with(options.remembering(shown));
  }

  /// An equal run with what is inserted beside it.
  NewRun beside(ObjectValue companion) {
    return with(options.beside(companion));
  }

  /// An equal run of which is recorded who has made it.
  ///
  /// @param caller empty: nothing is recorded
  NewRun audited(Optional<AuditedCaller> caller, AuditAction action) {
    return caller.map(it -> with(options.audited(new AuditedInsert(it, action)))).orElse(this);
  }

  Optional<AuditedInsert> audited() {
    return options.audited();
  }

  private NewRun with(InsertOptions others) {
    return new NewRun(header, origin, input, request, first, from, others);
  }

  Optional<Shown> remembered() {
    return options.remembered();
  }

  Optional<ObjectValue> companion() {
    return options.companion();
  }

  Optional<Instant> startAt() {
    return options.startAt();
  }

  /// Has it start before it is inserted.
  ///
  /// @param as what the last insert of this process was given
  /// @return what its insert will find
  Inserted startEarly(Instant at, Inserted as) {
    var birthId = as.birthId() == null ? null : UUID.randomUUID();
    earlyStart = new EarlyStart(at, as.epoch(), birthId, List.of());
    return new Inserted(at, as.epoch(), birthId, at);
  }

  /// @return empty: it starts when it is inserted
  Optional<EarlyStart> earlyStart() {
    return Optional.ofNullable(earlyStart);
  }

  /// Has these commits inserted with it.
  void insertWith(List<Commit> commits) {
    earlyStart = Objects.requireNonNull(earlyStart).with(commits);
  }

  /// An equal run that starts when it is inserted.
  NewRun withoutEarlyStart() {
    return with(options);
  }

  /// What its driver has committed is not needed any more.
  void forgetCommits() {
    insertWith(List.of());
  }

  /// What its driver has committed before it is inserted.
  List<Commit> commits() {
    return earlyStart().map(EarlyStart::commits).orElse(List.of());
  }

  /// Its head when it is inserted; empty: that of a run that has just started.
  Optional<RunHead> head() {
    return commits().isEmpty() ? Optional.empty() : Optional.of(commits().getLast().head());
  }

  @Override
  public Share share() {
    return Share.of(id(), origin.caller());
  }

  /// Twice the input, which the first checkpoint mainly consists of, too.
  @Override
  public long bytes() {
    long committed = 0;
    for (var commit : commits()) {
      committed += USUAL_BYTES + commit.sizeBytes();
    }
    long beside = companion().map(Canonical::size).orElse(0L);
    return 2L * Canonical.size(input) + USUAL_BYTES + committed + beside;
  }

  /// What it begins with.
  long storedBytes() {
    return Canonical.size(input) + first.after().sizeBytes();
  }

  /// Its checkpoints as they are inserted.
  List<EncodedCommit> encoded(Optional<String> owner) {
    var at = earlyStart().map(EarlyStart::at);
    var encoded = new ArrayList<EncodedCommit>();
    var events = events(owner);
    var begin = EncodedCheckpoint.of(first, events, null);
    encoded.add(new EncodedCommit(begin, events.size(), at));
    encoded.addAll(EncodedCommit.of(commits(), begin.end()));
    return encoded;
  }

  /// The events of its insert.
  ///
  /// @param owner who drives it from the start; empty: it is queued
  List<Event> events(Optional<String> owner) {
    var created = created(origin);
    return owner.isPresent()
        ? List.of(created, Event.of("run.started", ObjectValue.empty()))
        : List.of(created);
  }

  static Event created(RunOrigin origin) {
    var data =
        ObjectValue.of("graph", Value.of(Tenant.shown(origin.graph())))
            .plus("version", Value.of((long) origin.version()));
    var parent = origin.parentRun();
    return Event.of(
        "run.created", parent == null ? data : data.plus("parent", Value.of(Tenant.shown(parent))));
  }

  void inserted(Inserted result) {
    inserted = result;
  }

  void failed(RuntimeException cause) {
    failure = cause;
  }

  /// Empty if the insert did not take place.
  ///
  /// @throws RuntimeException if the outcome is unknown
  Optional<Inserted> inserted() {
    if (failure != null) {
      throw failure;
    }
    return Optional.ofNullable(inserted);
  }

  /// Empty if the insert did not take place, or its outcome is unknown.
  Optional<Inserted> knownInsert() {
    return failure == null ? Optional.ofNullable(inserted) : Optional.empty();
  }

  /// Its view, inserted at `insertedAt` by this process, without reading it back.
  ///
  /// @param whenEnded is run when it is not driven here any more
  LocalProgress progress(
      GraphRegistry graphs, LimitsInForce limits, Instant insertedAt, Runnable whenEnded) {
    var graph = graph(graphs);
    return new LocalProgress(
        view(limits, insertedAt), it -> RunDetails.output(graph, it), whenEnded);
  }

  private RunView view(LimitsInForce limits, Instant insertedAt) {
    var created = first.after();
    var standing =
        new Standing(
            RunStatus.RUNNING,
            created.superstep(),
            created.number(),
            Optional.empty(),
            Optional.empty());
    var own = request.limits();
    var settings =
        new Settings(limits.of(origin.graph(), origin.version(), own), origin.priority());
    var times = new Times(insertedAt, Optional.of(insertedAt), Optional.empty(), Optional.empty());
    var summary = new RunSummary(summaryOrigin(), standing, settings, times);
    return new RunView(
        summary, input, header.params(), Optional.empty(), List.of(), List.of(), Spending.NOTHING);
  }

  private Origin summaryOrigin() {
    var parent = origin.parentRun();
    var checkpoint = origin.parentCheckpoint();
    return new Origin(
        id(),
        origin.graph(),
        origin.version(),
        Optional.ofNullable(origin.threadId()),
        request.metadata(),
        parent == null || checkpoint == null
            ? Optional.empty()
            : Optional.of(new Parent(parent, checkpoint, Optional.empty())),
        from,
        Callers.named(origin.caller()));
  }

  /// The claim that its insert by this process implies.
  Claim claim(Inserted by, GraphRegistry graphs) {
    var stored = header.with(BirthId.of(id(), by.birthId()));
    var lease = new Lease(id(), by.epoch());
    var parent = Optional.ofNullable(origin.parentRun());
    var thread = Optional.ofNullable(origin.threadId());
    var image = image(stored, lease, by.at(), graphs);
    return new Claim(stored, lease, 0, RunStatus.QUEUED, image, parent, thread, origin.caller());
  }

  /// Empty if the stored run contains more than is known here.
  private Optional<LoadedRun> image(
      RunHeader stored, Lease lease, Instant insertedAt, GraphRegistry graphs) {
    var created = first.after();
    boolean timed =
        created.context().map(it -> it.times().size() == it.history().size()).orElse(true);
    if (created.stamp().kind() != CheckpointKind.INPUT || !timed) {
      return Optional.empty();
    }
    var runHead =
        new RunHead(
            RunStatus.QUEUED,
            created.superstep(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            RunHead.Passed.NONE,
            Duration.ZERO);
    var own = graph(graphs).program().graph().settings().breakpoints();
    return Optional.of(
        new LoadedRun(
            stored,
            lease,
            at(created, lease, insertedAt),
            request.limits(),
            request.breakpoints().isEmpty() ? own : request.breakpoints(),
            runHead,
            RunSignals.NONE,
            -1));
  }

  private static Checkpoint at(Checkpoint first, Lease lease, Instant insertedAt) {
    var stamp = first.stamp();
    return new Checkpoint(
        new Checkpoint.Stamp(
            stamp.number(), stamp.kind(), stamp.superstep(), insertedAt, lease.era()),
        first.state(),
        first.context(),
        first.pending(),
        first.held(),
        first.edits());
  }

  private Compiled graph(GraphRegistry graphs) {
    return graphs.compiled(origin.graph(), origin.version());
  }
}
