package dev.superstep.checkpoint;

import dev.superstep.engine.Lease;
import dev.superstep.engine.RunImage;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/// The journals of the runs driven here whose durability is not `sync`.
@Component
class Journals {
  private final ConcurrentHashMap<Lease, Journal> open = new ConcurrentHashMap<>();
  private final SyncStore sync;
  private final AsyncWriter writer;
  private final Weights weights;
  private final InstantSource clock;
  private final StoreSettings settings;

  Journals(
      SyncStore sync,
      AsyncWriter writer,
      Weights weights,
      InstantSource clock,
      StoreSettings settings) {
    this.sync = sync;
    this.writer = writer;
    this.weights = weights;
    this.clock = clock;
    this.settings = settings;
  }

  void open(RunImage image) {
    var lease = image.lease();
    switch (image.header().durability()) {
      case SYNC -> {}
      case ASYNC -> open.put(lease, new AsyncJournal(lease, sync, writer, row(lease), behind()));
      case EXIT ->
          open.put(
              lease,
              new ExitJournal(lease, image.checkpoint().number(), sync, clock, settings.exit()));
    }
  }

  private AsyncJournal.Rows row(Lease lease) {
    return new AsyncJournal.Rows(lease, weights, clock);
  }

  private int behind() {
    return settings.async().behindMax();
  }

  Optional<Journal> find(Lease lease) {
    return open.isEmpty() ? Optional.empty() : Optional.ofNullable(open.get(lease));
  }

  void close(Lease lease) {
    open.remove(lease);
  }
}
