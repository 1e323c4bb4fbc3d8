package dev.superstep.database;

/// The database has gone back, or on from an older state: what this process has read of it before
/// may not be there any more. Published as an event of the application, before anything is begun in
/// the new history.
///
/// @param era number of the history that counts from now on
public record HistoryChanged(int era) {}
