/// Secrets by reference: settings name the location of a secret, never the secret.
@NullMarked
package dev.superstep.secret;

import org.jspecify.annotations.NullMarked;
