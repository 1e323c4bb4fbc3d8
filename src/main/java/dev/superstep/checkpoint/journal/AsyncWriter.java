package dev.superstep.checkpoint.journal;

import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.commit.BatchStatement;
import dev.superstep.checkpoint.commit.RunBatch;
import dev.superstep.checkpoint.commit.SyncStore;
import dev.superstep.engine.port.CheckpointStore.Result;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Writes the supersteps of all `async` runs of this replica, never in a statement with those of
/// `sync` runs, on a thread that ends when there are none.
@Component
public class AsyncWriter {
  private static final Logger log = LoggerFactory.getLogger(AsyncWriter.class);

  private final BatchStatement batches;
  private final SyncStore sync;
  private final StoreSettings.Batch bounds;
  private final ArrayDeque<AsyncJournal> queue = new ArrayDeque<>();
  private boolean writing;

  /// The batch of one journal.
  private record JournalBatch(AsyncJournal journal, RunBatch runBatch) {}

  public AsyncWriter(BatchStatement batches, SyncStore sync, StoreSettings settings) {
    this.batches = batches;
    this.sync = sync;
    this.bounds = settings.batch();
  }

  /// Queues the journal for writing.
  synchronized void serve(AsyncJournal journal) {
    queue.add(journal);
    if (!writing) {
      writing = true;
      Thread.ofVirtual().name("async-writer").start(this::work);
    }
  }

  private void work() {
    for (var journals = next(); !journals.isEmpty(); journals = next()) {
      write(journalBatches(journals));
    }
  }

  private synchronized List<AsyncJournal> next() {
    var journals = new ArrayList<AsyncJournal>();
    while (!queue.isEmpty() && journals.size() < bounds.countMax()) {
      journals.add(queue.removeFirst());
    }
    writing = !journals.isEmpty();
    return journals;
  }

  private List<JournalBatch> journalBatches(List<AsyncJournal> journals) {
    long share = bounds.bytesMax().toBytes() / journals.size();
    return journals.stream().map(it -> new JournalBatch(it, it.take(share))).toList();
  }

  private void write(List<JournalBatch> journalBatches) {
    try {
      batches.execute(journalBatches.stream().map(JournalBatch::runBatch).toList());
    } catch (RuntimeException e) {
      log.debug("supersteps of {} runs are written one by one", journalBatches.size(), e);
    }
    for (var journalBatch : journalBatches) {
      if (journalBatch.runBatch().writtenAt().isPresent()) {
        journalBatch.journal().written(journalBatch.runBatch());
      } else {
        Thread.ofVirtual().name("async-alone").start(() -> writeAlone(journalBatch));
      }
    }
  }

  private void writeAlone(JournalBatch journalBatch) {
    var runBatch = journalBatch.runBatch();
    try {
      for (var plainCommit : runBatch.plainCommits()) {
        while (!(sync.commitAlone(runBatch.lease(), plainCommit) instanceof Result.Committed)) {
          log.debug("{} is retried", runBatch.lease());
        }
      }
      journalBatch.journal().written(runBatch);
    } catch (RuntimeException e) {
      journalBatch.journal().failed(e);
    }
  }
}
