/// What the store promises, how it fails, and the stored forms of what it keeps ([Content],
/// [TaskRecordCodec] and the other codecs). `row` reads and encodes rows, `commit` writes them
/// under the fence. Begin with [StoredCheckpoint].
@NullMarked
package dev.superstep.checkpoint;

import org.jspecify.annotations.NullMarked;
