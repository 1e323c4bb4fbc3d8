package dev.superstep.client;

import dev.superstep.client.model.Page;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/// A client of one service. It may be shared by threads; interrupting a thread ends its call.
public final class Superstep {
  private final Settings settings;
  private final GraphsOperations graphs;
  private final Runs runs;
  private final InterruptsOperations interrupts;
  private final TasksOperations tasks;
  private final ThreadsOperations threads;
  private final KeysOperations keys;
  private final CatalogOperations catalog;

  private Superstep(Settings settings, String key) {
    this.settings = settings;
    var transport = new Transport(settings, key);
    graphs = new GraphsOperations(transport);
    runs = new Runs(transport);
    interrupts = new InterruptsOperations(transport);
    tasks = new TasksOperations(transport);
    threads = new ThreadsOperations(transport);
    keys = new KeysOperations(transport);
    catalog = new CatalogOperations(transport);
  }

  /// Where `SUPERSTEP_URL` and `SUPERSTEP_API_KEY` say.
  public static Superstep connect() {
    return connect(Settings.ofEnvironment());
  }

  public static Superstep connect(Settings settings) {
    return new Superstep(settings, "");
  }

  /// For one changing call, with an `Idempotency-Key` that a program knows again after a crash.
  /// Otherwise each has a new one, kept over its repetitions.
  public Superstep withIdempotencyKey(String key) {
    return new Superstep(settings, key);
  }

  public GraphsOperations graphs() {
    return graphs;
  }

  public Runs runs() {
    return runs;
  }

  public InterruptsOperations interrupts() {
    return interrupts;
  }

  /// What a [Worker] calls.
  public TasksOperations tasks() {
    return tasks;
  }

  public ThreadsOperations threads() {
    return threads;
  }

  public KeysOperations keys() {
    return keys;
  }

  public CatalogOperations catalog() {
    return catalog;
  }

  /// With so long for an answer.
  TasksOperations tasks(Duration timeout) {
    return new TasksOperations(
        new Transport(settings.withTimeouts(timeout, settings.idle()), ""));
  }

  /// Everything that a list has, part by part:
  /// `paginate(it -> runs.search(Runs.SearchOptions.of().withCursor(it)))`.
  public static <T> Stream<T> paginate(Function<String, ? extends Page<T>> page) {
    return Stream.<Page<T>>iterate(
            page.apply(null),
            Objects::nonNull,
            it -> it.nextCursor() == null ? null : page.apply(it.nextCursor()))
        .flatMap(it -> it.items().stream());
  }
}
