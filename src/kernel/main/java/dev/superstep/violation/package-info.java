/// What is wrong with data from outside, and where: definitions, requests, context rules, results
/// of nodes. A [dev.superstep.violation.Violation] is one mistake, at a JSON pointer;
/// [dev.superstep.violation.Violations] collects those of one document, so that its author sees all
/// of them at once. Begin with [dev.superstep.violation.UncheckedValue], which reads such data.
/// Plain Java; uses only the values of `state`.
@NullMarked
package dev.superstep.violation;

import org.jspecify.annotations.NullMarked;
