/// Secrets by reference: what is configured is where a secret is kept, never the secret.
@NullMarked
package dev.superstep.secret;

import org.jspecify.annotations.NullMarked;
