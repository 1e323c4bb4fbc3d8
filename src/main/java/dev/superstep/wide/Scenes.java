package dev.superstep.wide;

import dev.superstep.checkpoint.RunImages;
import dev.superstep.checkpoint.SliceReader;
import dev.superstep.checkpoint.WideSuperstep;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.LeaseLostException;
import org.springframework.stereotype.Component;

/// Loads runs for those who execute their slices.
@Component
class Scenes {
  private final SliceReader reader;
  private final RunImages images;
  private final GraphRegistry graphs;

  Scenes(SliceReader reader, RunImages images, GraphRegistry graphs) {
    this.reader = reader;
    this.images = images;
    this.graphs = graphs;
  }

  /// @throws LeaseLostException if the run has moved on
  Scene load(WideSuperstep wide) {
    var header = reader.header(wide.lease());
    var program = graphs.compiled(header.graph(), header.version()).program();
    var image = images.load(header, wide.lease(), program.graph());
    if (image.checkpoint().superstep() + 1 != wide.superstep()) {
      throw new LeaseLostException(wide.lease());
    }
    return new Scene(program, image);
  }
}
