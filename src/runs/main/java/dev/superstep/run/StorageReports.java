package dev.superstep.run;

/// Reports how much is stored.
public interface StorageReports {

  /// How much the runs of each graph take. What it costs does not grow with the number of runs:
  /// beyond some hundred kilobytes of rows a sample is read.
  StorageView report();
}
