package dev.superstep.model;

import java.util.Set;

/// The parts of a request that a script can match.
///
/// @param user the user's last words
/// @param toolResult the last one
/// @param last role of the last message
/// @param turn of the answer that is asked for, from 1
record ScriptPrompt(
    String user, String system, String toolResult, String last, int turn, Set<String> tools) {}
