package dev.superstep.run.start;

import static java.util.stream.Collectors.toSet;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.inbox.RunMessages;
import dev.superstep.checkpoint.inbox.RunMessages.GraphOfRun;
import dev.superstep.checkpoint.inbox.RunMessages.KnownMessage;
import dev.superstep.checkpoint.inbox.RunMessages.LockedRun;
import dev.superstep.checkpoint.inbox.RunMessages.NewMessage;
import dev.superstep.checkpoint.inbox.StoredMessage;
import dev.superstep.engine.run.InboxMessage.IfUntaken;
import dev.superstep.graph.Graph;
import dev.superstep.graph.InboxPolicy;
import dev.superstep.problem.Callers;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.IfBusy;
import dev.superstep.run.MessageService;
import dev.superstep.run.Page;
import dev.superstep.run.RunService.Started;
import dev.superstep.run.SendMessage;
import dev.superstep.run.SendMessage.Addressee;
import dev.superstep.run.SendMessage.MessageContent;
import dev.superstep.run.StartRun;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.drive.AfterCommit;
import dev.superstep.run.store.RunFinder;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Hash;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.stereotype.Service;

/// Stores messages under the lock of their run, so that a driver that has not seen one cannot end
/// it.
@Service
class StoredMessages implements MessageService {
  private static final int ID_CHARS_MAX = 500;

  /// Ids of messages that come of starts begin with this, and no others.
  private static final String STEER = "steer:";

  private final RunMessages messages;
  private final MessageSettings settings;
  private final RunFinder runFinder;
  private final ThreadQueue queue;
  private final Resumer resumer;
  private final CallerQuotas quotas;
  private final AfterCommit afterCommit;
  private final AuditLog audit;

  StoredMessages(
      RunMessages messages,
      MessageSettings settings,
      RunFinder runFinder,
      ThreadQueue queue,
      Resumer resumer,
      CallerQuotas quotas,
      AfterCommit afterCommit,
      AuditLog audit) {
    this.messages = messages;
    this.settings = settings;
    this.runFinder = runFinder;
    this.queue = queue;
    this.resumer = resumer;
    this.quotas = quotas;
    this.afterCommit = afterCommit;
    this.audit = audit;
  }

  @Override
  public Page<StoredMessage> list(String run, Page.Request page) {
    if (!runFinder.exists(run)) {
      throw RunFinder.notFound(run);
    }
    int after = page.cursor().map(it -> Cursor.read(it, 1).integer(0)).orElse(0);
    var found = messages.list(run, after, page.limit() + 1);
    if (found.size() <= page.limit()) {
      return new Page<>(found, Optional.empty());
    }
    var items = found.subList(0, page.limit());
    return new Page<>(
        items, Optional.of(Cursor.write(List.of(String.valueOf(items.getLast().seq())))));
  }

  @Override
  public StoredMessage find(String run, int seq) {
    return messages.list(run, seq - 1, 1).stream()
        .findFirst()
        .orElseThrow(() -> RunFinder.notFound(run));
  }

  @Override
  public void prepare(SendMessage request) {
    switch (request.to()) {
      case Addressee.ToRun(var run) -> runFinder.load(run);
      case Addressee.ToThread(var thread) -> queue.lastRun(thread).ifPresent(runFinder::load);
    }
  }

  @Override
  public SentMessage send(SendMessage request) {
    request
        .id()
        .filter(it -> it.startsWith(STEER))
        .ifPresent(_ -> {
          throw ServiceException.at(
              "/id", ErrorCode.INVALID_VALUE, "must not begin with '%s'".formatted(STEER));
        });
    return audit.inTransaction(() -> sendOnce(request));
  }

  private SentMessage sendOnce(SendMessage request) {
    var locked = lock(request);
    return known(locked, request)
        .map(it -> new SentMessage(find(it.run(), it.seq()), true))
        .orElseGet(() -> new SentMessage(store(locked, read(locked, request)), false));
  }

  private LockedRun lock(SendMessage request) {
    return switch (request.to()) {
      case Addressee.ToRun(var run) -> lock(run, request.ifEnded());
      case Addressee.ToThread(var thread) ->
          queue
              .lockCurrent(thread)
              .map(it -> lock(it, request.ifEnded()))
              .orElseThrow(() ->
                  new ServiceException(
                      ErrorCode.RUN_ENDED,
                      "thread '%s' has no run yet; start one".formatted(thread)));
    };
  }

  /// A message that may have the run or its thread go on needs the locks for that, before that of
  /// the run.
  private LockedRun lock(String run, IfUntaken ifEnded) {
    var graph =
        messages
            .graph(run)
            .filter(_ -> runFinder.isReached(run))
            .orElseThrow(() -> RunFinder.notFound(run));
    if (ifEnded == IfUntaken.START || inbox(graph).resumes()) {
      resumer.lock(run);
    }
    var locked = messages.lock(run).orElseThrow(() -> RunFinder.notFound(run));
    if (locked.isCall()) {
      throw new ServiceException(
          ErrorCode.RUN_NOT_FOUND,
          "'%s' waits to go on with its thread, and may become no run; send to the thread"
              .formatted(Tenant.shown(run)));
    }
    return locked;
  }

  private Graph graph(GraphOfRun graph) {
    return runFinder.version(graph.name(), graph.version()).program().graph();
  }

  private InboxPolicy inbox(GraphOfRun graph) {
    return graph(graph).settings().inbox();
  }

  private NewMessage read(LockedRun locked, SendMessage request) {
    var reader = new MessageReader(graph(locked.graph()));
    var id = request.id().orElseGet(() -> UUID.randomUUID().toString());
    requireId(id);
    var channel = reader.channel(request.channel());
    if (inbox(locked.graph()).resumes() || !reader.isTalk(channel, request.said())) {
      resumer.requireAnswering();
    }
    return new NewMessage(
        id,
        hash(request.channel(), request.said()),
        channel,
        reader.value(channel, request.said(), locked.thread().orElse(locked.id()) + " " + id),
        request.ifEnded(),
        Callers.named(quotas.current()));
  }

  private static void requireId(String id) {
    if (id.isEmpty() || id.length() > ID_CHARS_MAX) {
      throw ServiceException.at(
          "/id",
          ErrorCode.INVALID_VALUE,
          "must have from 1 to %d characters".formatted(ID_CHARS_MAX));
    }
  }

  private static String hash(Optional<String> channel, MessageContent said) {
    var content =
        ObjectValue.of("channel", channel.map(Value::of).orElse(Value.NULL))
            .plus("value", said.value())
            .plus("message", Value.of(said.isMessage()));
    return HexFormat.of().formatHex(Hash.sha256().digest(Canonical.bytes(content)));
  }

  /// Whichever run of the thread has it: it may have ended since, or the next have begun.
  ///
  /// @throws ServiceException `message_exists` if the id is that of a message with other content
  private Optional<KnownMessage> known(LockedRun locked, SendMessage request) {
    if (request.id().isEmpty()) {
      return Optional.empty();
    }
    var id = request.id().get();
    var known =
        messages
            .find(locked.id(), id)
            .or(() -> locked.thread().flatMap(it -> messages.findInThread(it, id)));
    if (known.isPresent() && !known.get().said().equals(hash(request.channel(), request.said()))) {
      throw ServiceException.at(
          "/id",
          ErrorCode.MESSAGE_EXISTS,
          "message '%s' of run '%s' says something else; choose another id"
              .formatted(id, Tenant.shown(known.get().run())));
    }
    return known;
  }

  private StoredMessage store(LockedRun locked, NewMessage message) {
    requireTaking(locked, message);
    insert(locked, message);
    if (locked.isOver() && message.ifUntaken() == IfUntaken.START) {
      begin(locked);
    } else if (mayGoOn(locked) && inbox(locked.graph()).resumes()) {
      resumer.goOn(locked.id());
    } else {
      afterCommit.publish(locked.id(), locked.owner());
    }
    audit.record(AuditAction.MESSAGE_SEND, locked.id() + "#" + message.id());
    var stored = messages.find(locked.id(), message.id()).orElseThrow();
    return find(stored.run(), stored.seq());
  }

  /// A run that has failed has given its thread away.
  private boolean mayGoOn(LockedRun locked) {
    return switch (locked.status()) {
      case INTERRUPTED -> true;
      case FAILED -> locked.thread().filter(queue::isBusy).isEmpty();
      case QUEUED, RUNNING, WAITING, CANCELLING, SUCCEEDED, CANCELLED -> false;
    };
  }

  private void requireTaking(LockedRun locked, NewMessage message) {
    if (message.ifUntaken() == IfUntaken.START) {
      if (locked.thread().isEmpty()) {
        throw ServiceException.at(
            "/if_ended", ErrorCode.INVALID_VALUE, "the run has no thread, so that none follows it");
      }
      var graph = runFinder.version(locked.graph().name(), locked.graph().version());
      MessageReader.checkBeginning(graph, message.channel(), message.value());
    } else if (locked.hasEnded()) {
      throw new ServiceException(
          ErrorCode.RUN_ENDED,
          "run '%s' has ended; start another, or send with if_ended: start"
              .formatted(Tenant.shown(locked.id())));
    }
  }

  private void insert(LockedRun locked, NewMessage message) {
    long bytes = Canonical.size(message.value());
    if (bytes > settings.waitingBytesMax().toBytes()) {
      throw new ServiceException(
          ErrorCode.LIMIT_EXCEEDED,
          "the message has %d bytes, at most %s are allowed"
              .formatted(bytes, settings.waitingBytesMax()));
    }
    quotas.admitStored(Share.of(locked.id(), locked.caller()), () -> bytes);
    if (messages.insert(locked.id(), message, settings.bounds())) {
      return;
    }
    if (!messages.areTaken()) {
      throw new ServiceException(
          ErrorCode.OVERLOADED,
          "a replica of an earlier release runs, which would not take the message; try again when"
              + " all are upgraded");
    }
    throw new ServiceException(
        ErrorCode.QUOTA_EXCEEDED,
        "the run has too many messages: %d of at most %s may wait, and it may have %d in all"
            .formatted(settings.waitingMax(), settings.waitingBytesMax(), settings.runMax()));
  }

  /// The thread is locked.
  private void begin(LockedRun ended) {
    ended
        .thread()
        .ifPresent(thread -> {
          queue.requireRoom(thread);
          queue.startFor(thread, quotas.current());
        });
  }

  @Override
  public Started steerOr(StartRun request, Supplier<Started> start) {
    var thread = request.thread().orElseThrow();
    return audit.inTransaction(() -> {
      if (request.id().filter(runFinder::exists).isPresent()) {
        return start.get(); // an earlier call has started it
      }
      var busy = queue.lockBusy(thread);
      return steered(thread, request).or(() -> busy.map(it -> steer(it, request))).orElseGet(start);
    });
  }

  /// What an earlier call with the same id and input has done.
  private Optional<Started> steered(String thread, StartRun request) {
    if (request.id().isEmpty()) {
      return Optional.empty();
    }
    var id = request.id().get();
    var known = new ArrayList<KnownMessage>();
    var said = new HashSet<String>();
    request
        .input()
        .forEach((channel, value) -> {
          said.add(hash(Optional.of(channel), new MessageContent(value, false)));
          messages.findInThread(thread, messageId(id, channel)).ifPresent(known::add);
        });
    if (known.isEmpty()) {
      return Optional.empty();
    }
    if (!known.stream().map(KnownMessage::said).collect(toSet()).equals(said)) {
      throw ServiceException.at(
          "/id",
          ErrorCode.RUN_EXISTS,
          "another request with id '%s' has steered run '%s'; choose another id"
              .formatted(Tenant.shown(id), Tenant.shown(known.getFirst().run())));
    }
    return Optional.of(new Started(known.getFirst().run(), true, Optional.empty()));
  }

  private static String messageId(String run, String channel) {
    return STEER + Tenant.shown(run) + "/" + channel;
  }

  private Started steer(String run, StartRun request) {
    requireAlike(run, request);
    request
        .input()
        .forEach((channel, value) -> {
          var message =
              new SendMessage(
                  new Addressee.ToRun(run),
                  Optional.of(channel),
                  new MessageContent(value, false),
                  request.id().map(it -> messageId(it, channel)),
                  IfUntaken.FOLD);
          var _ = sendOnce(message);
        });
    return new Started(run, true, Optional.empty());
  }

  /// What a request says besides its input would have no effect on a run that is there.
  private void requireAlike(String run, StartRun request) {
    var graph = messages.graph(run).orElseThrow(() -> RunFinder.notFound(run));
    if (!graph.name().equals(request.graph())) {
      throw busy(run, "is of another graph");
    }
    if (request.version().filter(it -> it != graph.version()).isPresent()) {
      throw busy(run, "is of version %d".formatted(graph.version()));
    }
    var plain = StartRun.Options.DEFAULT.ifBusy(IfBusy.STEER);
    if (request.context().isPresent()
        || !request.metadata().isEmpty()
        || !request.edit().isEmpty()
        || !request.within(Optional.empty()).options().equals(plain)) {
      throw busy(run, "takes input only, no context, metadata, limits, breakpoints or the like");
    }
  }

  private static ServiceException busy(String run, String why) {
    return new ServiceException(
        ErrorCode.THREAD_BUSY,
        "run '%s' of the thread %s; let it end, or have it end with if_busy"
            .formatted(Tenant.shown(run), why));
  }
}
