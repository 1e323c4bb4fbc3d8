package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.run.Lease;
import java.util.List;

/// Called after each write of a driver, on the driver's thread.
public interface CommitListener {
  CommitListener NONE =
      new CommitListener() {
        @Override
        public void committed(Lease lease, List<Commit> commits, CommitResult result) {}

        @Override
        public void recorded(Lease lease) {}

        @Override
        public void fenced(Lease lease) {}
      };

  /// @param result says whether `commits` were written, all of them or none
  void committed(Lease lease, List<Commit> commits, CommitResult result);

  /// Outcomes were recorded while siblings are open.
  void recorded(Lease lease);

  /// The fence has refused a write: another replica has claimed the run.
  void fenced(Lease lease);
}
