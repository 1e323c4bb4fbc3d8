/// Serves the console, a single-page application that `console/` is built into: its page, under the
/// addresses that it has links for, and its files; and tells at the start where it is. It is the
/// same for everybody and holds no data; what it shows, the browser reads from the API. Begin with
/// [ConsolePage].
@NullMarked
package dev.superstep.console;

import org.jspecify.annotations.NullMarked;
