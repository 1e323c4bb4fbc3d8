package dev.superstep.checkpoint.journal;

import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.commit.SyncStore;
import dev.superstep.checkpoint.row.SnapshotPolicy;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.run.Lease;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/// Registers the journals of the runs driven here whose durability is not `sync`.
@Component
public class CommitJournals {
  private final ConcurrentHashMap<Lease, CommitJournal> open = new ConcurrentHashMap<>();
  private final SyncStore sync;
  private final AsyncWriter writer;
  private final SnapshotPolicy snapshotPolicy;
  private final InstantSource clock;
  private final StoreSettings settings;

  public CommitJournals(
      SyncStore sync,
      AsyncWriter writer,
      SnapshotPolicy snapshotPolicy,
      InstantSource clock,
      StoreSettings settings) {
    this.sync = sync;
    this.writer = writer;
    this.snapshotPolicy = snapshotPolicy;
    this.clock = clock;
    this.settings = settings;
  }

  void open(LoadedRun loadedRun) {
    var lease = loadedRun.lease();
    switch (loadedRun.header().durability()) {
      case SYNC -> {}
      case ASYNC ->
          open.put(lease, new AsyncJournal(lease, sync, writer, encoder(lease), behind()));
      case EXIT ->
          open.put(
              lease,
              new ExitJournal(
                  lease, loadedRun.checkpoint().number(), sync, clock, settings.exit()));
    }
  }

  private AsyncJournal.CommitEncoder encoder(Lease lease) {
    return new AsyncJournal.CommitEncoder(lease, snapshotPolicy, clock);
  }

  private int behind() {
    return settings.async().behindMax();
  }

  Optional<CommitJournal> find(Lease lease) {
    return open.isEmpty() ? Optional.empty() : Optional.ofNullable(open.get(lease));
  }

  void close(Lease lease) {
    open.remove(lease);
  }
}
