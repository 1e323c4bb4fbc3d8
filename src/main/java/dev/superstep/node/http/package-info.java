@NullMarked
package dev.superstep.node.http;

import org.jspecify.annotations.NullMarked;
