package dev.superstep.run.start;

import dev.superstep.run.store.RunInputEntity;
import dev.superstep.state.value.Canonical;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects heads and requests of runs as columns of a statement.
final class InsertRunsColumns {
  private final String[] ids;
  private final String[] graphs;
  private final int[] versions;
  private final int[] supersteps;
  private final int[] events;
  private final short[] priorities;
  private final String[] durabilities;
  private final @Nullable String[] threads;
  private final long[] ordinals;
  private final @Nullable String[] parentRuns;
  private final @Nullable Integer[] parentCheckpoints;
  private final @Nullable String[] wakeTimes;
  private final String[] callers;
  private final byte[][] inputs;
  private final byte[] @Nullable [] contexts;
  private final byte[] @Nullable [] limits;
  private final byte[] @Nullable [] breakpoints;
  private final String[] metadata;
  private final byte[] @Nullable [] requestHashes;
  private final @Nullable String[] traceparents;

  InsertRunsColumns(List<RunInsert> runInserts) {
    int size = runInserts.size();
    ids = new String[size];
    graphs = new String[size];
    versions = new int[size];
    supersteps = new int[size];
    events = new int[size];
    priorities = new short[size];
    durabilities = new String[size];
    threads = new String[size];
    ordinals = new long[size];
    parentRuns = new String[size];
    parentCheckpoints = new Integer[size];
    wakeTimes = new String[size];
    callers = new String[size];
    inputs = new byte[size][];
    contexts = new byte[size][];
    limits = new byte[size][];
    breakpoints = new byte[size][];
    metadata = new String[size];
    requestHashes = new byte[size][];
    traceparents = new String[size];
    for (int i = 0; i < size; i++) {
      head(i, runInserts.get(i));
      asked(i, runInserts.get(i));
    }
  }

  private void head(int i, RunInsert runInsert) {
    var newRun = runInsert.newRun();
    var origin = newRun.origin();
    ids[i] = newRun.id();
    graphs[i] = origin.graph();
    versions[i] = origin.version();
    supersteps[i] = newRun.first().after().superstep();
    events[i] = runInsert.events();
    priorities[i] = origin.priority();
    durabilities[i] = origin.durability();
    threads[i] = origin.threadId();
    ordinals[i] = origin.ordinal();
    parentRuns[i] = origin.parentRun();
    parentCheckpoints[i] = origin.parentCheckpoint();
    callers[i] = origin.caller();
    wakeTimes[i] = runInsert.wakesAt().map(Instant::toString).orElse(null);
  }

  private void asked(int i, RunInsert runInsert) {
    var newRun = runInsert.newRun();
    var row = new RunInputEntity(newRun.id(), newRun.input(), newRun.asked());
    inputs[i] = row.input();
    contexts[i] = row.context();
    limits[i] = row.limitsBytes();
    breakpoints[i] = row.breakpointsBytes();
    metadata[i] = Canonical.text(newRun.header().metadata());
    requestHashes[i] = row.requestHash();
    traceparents[i] = row.traceparent().orElse(null);
  }

  /// In the order of [InsertRunsStatement].
  List<Object> columns() {
    return List.of(
        ids,
        graphs,
        versions,
        supersteps,
        events,
        priorities,
        durabilities,
        threads,
        ordinals,
        parentRuns,
        parentCheckpoints,
        wakeTimes,
        callers,
        inputs,
        contexts,
        limits,
        breakpoints,
        metadata,
        requestHashes,
        traceparents);
  }
}
