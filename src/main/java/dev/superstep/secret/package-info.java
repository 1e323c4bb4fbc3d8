/// Secrets by reference: what is configured is where a secret is kept, never the secret. Begin with
/// [Secrets]; [ReleasedSecrets] says what authors of graphs may use.
@NullMarked
package dev.superstep.secret;

import org.jspecify.annotations.NullMarked;
