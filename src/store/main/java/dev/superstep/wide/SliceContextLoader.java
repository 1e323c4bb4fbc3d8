package dev.superstep.wide;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.checkpoint.row.RunImages;
import dev.superstep.checkpoint.row.SliceReader;
import dev.superstep.checkpoint.work.TakenSlice;
import dev.superstep.checkpoint.work.WideSuperstep;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.run.LeaseLostException;
import java.util.List;
import org.springframework.stereotype.Component;

/// Loads runs for the executors of their slices.
@Component
class SliceContextLoader {
  private final SliceReader reader;
  private final RunImages images;
  private final GraphRegistry graphs;

  /// For the lanes that execute slices of the same superstep, by it and its checkpoint.
  private final Cache<List<Object>, SliceContext> loaded =
      Caffeine.newBuilder().weakValues().build();

  SliceContextLoader(SliceReader reader, RunImages images, GraphRegistry graphs) {
    this.reader = reader;
    this.images = images;
    this.graphs = graphs;
  }

  /// A replica that takes over a slice needs its recorded outcomes; for others the run as it was
  /// when its superstep began will do.
  ///
  /// @throws LeaseLostException if the run has a later checkpoint
  SliceContext load(TakenSlice slice) {
    var context =
        slice.repeated()
            ? load(slice.of())
            : loaded.get(List.of(slice.of(), slice.work().checkpoint()), _ -> load(slice.of()));
    if (context.loadedRun().checkpoint().number() != slice.work().checkpoint()) {
      throw new LeaseLostException(slice.of().lease());
    }
    return context;
  }

  private SliceContext load(WideSuperstep wide) {
    var header = reader.header(wide.lease());
    var program = graphs.compiled(header.graph(), header.version()).program();
    return new SliceContext(program, images.load(header, wide.lease(), program.graph()));
  }
}
