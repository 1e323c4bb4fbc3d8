package dev.superstep.fault;

import java.nio.file.Path;
import java.util.Map;
import java.util.Random;

/// What a scenario plays on.
///
/// @param expected state hashes of undisturbed runs, by graph
record Stage(
    Cluster cluster, Tally tally, Random random, Map<String, String> expected, Path folder) {}
