package dev.superstep.run;

/// Rows that another module keeps beside runs, inserted by the statement that inserts the runs:
/// after a crash there are both, or neither.
///
/// What it returns becomes part of the text of that statement. There, `given` is a run with the
/// columns of its head, `created`, which is when it began, and `companion`: as text, the JSON that
/// its start was given by [CheckedStart#beside].
public interface CompanionRows {

  /// A condition on a row of `given` with a `companion`: whether what that was made of still holds.
  /// Otherwise the run is not inserted.
  String condition();

  /// `insert into … select … from given where companion is not null`.
  String insert();
}
