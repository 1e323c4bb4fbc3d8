package dev.superstep.wide;

import dev.superstep.checkpoint.row.RunImages;
import dev.superstep.checkpoint.row.SliceReader;
import dev.superstep.checkpoint.row.WideSuperstep;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.run.LeaseLostException;
import org.springframework.stereotype.Component;

/// Loads runs for the executors of their slices.
@Component
class SliceContextLoader {
  private final SliceReader reader;
  private final RunImages images;
  private final GraphRegistry graphs;

  SliceContextLoader(SliceReader reader, RunImages images, GraphRegistry graphs) {
    this.reader = reader;
    this.images = images;
    this.graphs = graphs;
  }

  /// @throws LeaseLostException if the run has a later checkpoint
  SliceContext load(WideSuperstep wide) {
    var header = reader.header(wide.lease());
    var program = graphs.compiled(header.graph(), header.version()).program();
    var image = images.load(header, wide.lease(), program.graph());
    if (image.checkpoint().superstep() + 1 != wide.superstep()) {
      throw new LeaseLostException(wide.lease());
    }
    return new SliceContext(program, image);
  }
}
