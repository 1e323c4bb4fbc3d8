package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointStoreContract;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Graph;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

class InMemoryCheckpointStoreTests extends CheckpointStoreContract {

  @Override
  protected StoreBackend backend() {
    return new Backend(new InMemoryCheckpointStore(InstantSource.system()));
  }

  private record Backend(InMemoryCheckpointStore store) implements StoreBackend {

    @Override
    public void start(RunHeader header, Commit.Write first) {
      store.start(header, first, SampleRun.of(header.id()).head(RunStatus.QUEUED));
    }

    @Override
    public LoadedRun claim(String run, Graph graph) {
      return store.claim(run);
    }

    @Override
    public boolean answer(String run, String interrupt, Value value) {
      return store.answer(run, interrupt, value);
    }

    @Override
    public void send(String run, InboxMessage message) {
      store.send(run, message);
    }

    @Override
    public void resolve(String run, TaskKey task, Change change) {
      store.resolve(run, task, change);
    }

    @Override
    public void cancel(String run) {
      store.cancel(run);
    }

    @Override
    public void pause(String run, int superstep) {
      store.pause(run, superstep);
    }

    @Override
    public Checkpoint checkpoint(RunHeader header, int number, Graph graph) {
      return store.checkpoints(header.id()).get(number).after();
    }

    @Override
    public List<Numbered> events(String run) {
      return store.events(run).stream().map(it -> new Numbered(it.seq(), it.event())).toList();
    }

    @Override
    public String interruptStatus(String run, String interrupt) {
      return Objects.requireNonNull(store.interrupts(run).get(interrupt)).status();
    }
  }
}
