package dev.superstep.engine.node;

import java.util.Optional;

/// What the pieces of one text have in common.
///
/// @param attempt of the task, from 1; a crash may make it begin again
/// @param textId of this text and no other; "" if whoever sent the piece knows no such ids
/// @param messageId of the message that is stored with the text in the end; with a suffix if the
///   task has begun another text before, to which these pieces do not belong; empty: no message is
///   made of it
public record TextHead(int attempt, String textId, Optional<String> messageId) {}
