/// The calls about graphs and what stands in them: versions, tests, diagrams, expressions, prompt
/// contexts. Begin with [GraphController].
@NullMarked
package dev.superstep.definition.web;

import org.jspecify.annotations.NullMarked;
