@NullMarked
package dev.superstep.definition.web;

import org.jspecify.annotations.NullMarked;
