package dev.superstep.node;

import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where an agent runs that knows nothing of durable steps, because a [NodeFunction] has called it:
/// what adapts its framework makes each of its calls a step of the task. A call is known by what it
/// asks, so that calls may run side by side, on any thread.
///
/// The scope is found on the thread of the function, and on virtual threads that are begun there;
/// elsewhere whoever changes the thread takes it along ([#within]).
public final class AgentScope {
  private static final InheritableThreadLocal<@Nullable Bound> BOUND =
      new InheritableThreadLocal<>();

  /// As LangChain4j makes one for each call of a workflow.
  private static final Pattern RANDOM =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final Cell cell;
  private final String caller;

  /// @param caller the step within which it is; empty: none
  private AgentScope(Cell cell, String caller) {
    this.cell = cell;
    this.caller = caller;
  }

  /// Emptied when the function has returned: threads that it has begun may live on.
  static final class Cell {
    private volatile @Nullable AgentRun agentRun;
  }

  /// @param scope null: calls are no steps
  private record Bound(@Nullable AgentScope scope, Thread thread) {}

  /// What an agent calls.
  enum Callee {
    MODEL,
    TOOL,
    MEMORY
  }

  /// The call of a function, as its agents see it.
  ///
  /// @param memories those that the function has used
  record AgentRun(
      FunctionSteps steps, NodeCall call, ModelRates rates, Set<String> memories, Cell cell)
      implements AutoCloseable {
    AgentRun(FunctionSteps steps, NodeCall call, ModelRates rates) {
      this(steps, call, rates, new HashSet<>(), new Cell());
      cell.agentRun = this;
    }

    /// @param caller the step within which it is; empty: none
    AgentScope scope(String caller) {
      return new AgentScope(cell, caller);
    }

    @Override
    public void close() {
      cell.agentRun = null;
    }

    /// What killed attempts have spent is counted nowhere; what others have is, with their outcome.
    boolean countsKnown() {
      return call.attempt() == 1 && call.resume().isEmpty() && !call.woken();
    }
  }

  /// The scope of the calling thread; empty: its calls are no steps.
  public static Optional<AgentScope> current() {
    var bound = BOUND.get();
    if (bound == null || bound.scope() == null || !bound.scope().isOpen()) {
      return Optional.empty();
    }
    // A thread of a pool serves others than who has made it begin.
    var thread = Thread.currentThread();
    return bound.thread().equals(thread) || thread.isVirtual()
        ? Optional.of(bound.scope())
        : Optional.empty();
  }

  /// Whether the function goes on.
  public boolean isOpen() {
    return cell.agentRun != null;
  }

  /// Whether the calling thread makes a call of an agent.
  static boolean isWithinCall() {
    return current().filter(it -> !it.caller.isEmpty()).isPresent();
  }

  private AgentRun agentRun() {
    var found = cell.agentRun;
    if (found == null) {
      throw new IllegalStateException("the function has returned, and its agent makes no calls");
    }
    return found;
  }

  /// Makes it the scope of the calling thread until the body ends.
  public <T extends @Nullable Object> T within(Callable<T> body) throws Exception {
    return bound(this, body);
  }

  /// What is called is within a step, or is none.
  public static <T extends @Nullable Object> T outside(Callable<T> body) throws Exception {
    return bound(null, body);
  }

  private static <T extends @Nullable Object> T bound(@Nullable AgentScope scope, Callable<T> body)
      throws Exception {
    var before = BOUND.get();
    BOUND.set(new Bound(scope, Thread.currentThread()));
    try {
      return body.call();
    } finally {
      restore(before);
    }
  }

  private static void restore(@Nullable Bound before) {
    if (before == null) {
      BOUND.remove();
    } else {
      BOUND.set(before);
    }
  }

  /// Binds or, with null, unbinds the calling thread, for frameworks that carry it over threads.
  public static void bind(@Nullable AgentScope scope) {
    restore(scope == null ? null : new Bound(scope, Thread.currentThread()));
  }

  /// Begins a call of a model, on whose thread nothing else of the agent happens until it has
  /// ended.
  ///
  /// @throws TaskFailedException if a budget of the run or of the operator does not allow it
  public AgentCall begin(AgentRequest request) {
    return begin(Callee.MODEL, request, kind());
  }

  /// Begins a call of a model that ends on another thread.
  public AgentCall beginAside(AgentRequest request) {
    return begin(Callee.MODEL, request, StepKind.SIDE);
  }

  /// Begins a call of a tool, as that of a model.
  ///
  /// @param arguments all that its result depends on
  public AgentCall begin(String tool, String arguments) {
    return begin(Callee.TOOL, plainly(tool, arguments), kind());
  }

  private static AgentRequest plainly(String name, String text) {
    return new AgentRequest(name, text, 0, 0, OptionalLong.empty());
  }

  private StepKind kind() {
    return agentRun().steps().isOwned() ? StepKind.CALL : StepKind.SIDE;
  }

  private AgentCall begin(Callee callee, AgentRequest request, StepKind kind) {
    var agentRun = agentRun();
    var name = request.model();
    var asked =
        "%d:%s%d:%s%s".formatted(caller.length(), caller, name.length(), name, request.text());
    var step =
        "%s.%s.%s".formatted(callee.name().toLowerCase(Locale.ROOT), plain(name), digest(asked));
    try {
      var begun = agentRun.steps().call(step, caller.isEmpty() ? kind : StepKind.INNER);
      return AgentCall.begin(agentRun, begun, callee, request);
    } catch (InterruptedException e) {
      throw abandoned(e);
    }
  }

  static IllegalStateException abandoned(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("the call of the node is not wanted any more", e);
  }

  /// Puts a memory into the state that it had when the task has used it first. Then the code, which
  /// is called from its beginning, finds in it what it has found before.
  ///
  /// @param id of the memory; one that may be another the next time, because it is random, is known
  ///   by how many such came before
  public void rewind(String name, String id, MemoryState state) {
    var memories = agentRun().memories();
    synchronized (memories) {
      var prefix = String.join("/", caller, name, "");
      long before =
          memories.stream()
              .filter(it -> it.startsWith(prefix) && isRandom(it.substring(prefix.length())))
              .count();
      if (memories.add(prefix + id)) {
        var known = isRandom(id) ? "random " + before : id;
        var call = begin(Callee.MEMORY, plainly(name, known), kind());
        call.known().ifPresentOrElse(state::write, () -> call.ended(state.read()));
      }
    }
  }

  private static boolean isRandom(String id) {
    return RANDOM.matcher(id).matches();
  }

  /// Of a memory of an agent.
  public interface MemoryState {
    Value read();

    void write(Value state);
  }

  private static String plain(String name) {
    var plain = name.replaceAll("[^A-Za-z0-9_.-]", "_");
    return plain.substring(0, Math.min(plain.length(), 32));
  }

  private static String digest(String request) {
    try {
      var hash =
          MessageDigest.getInstance("SHA-256").digest(request.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
