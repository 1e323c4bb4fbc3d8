/// Tells webhooks what happens in runs: begin in `RunReports`, which makes deliveries of what
/// transactions have written down, then `DeliverySender`.
@NullMarked
package dev.superstep.run.webhook;

import org.jspecify.annotations.NullMarked;
