@NullMarked
package dev.superstep.prompt.web;

import org.jspecify.annotations.NullMarked;
